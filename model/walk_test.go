package model

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecodeMessageBlocks holds the decoding in one pass against that in two.
func FuzzDecodeMessageBlocks(f *testing.F) {
	for _, line := range []string{
		`{"role":"user","content":"text"}`,
		`{ "content" : [ { "type" : "text" , "text" : "a" } , 5 , null , [ ] ] , "role" : "user" }`,
		`{"content":[{"type":"text"}],"content":null,"content":[{"type":"image","data":"x"}]}`,
		`{"content":[{"type":"text"}],"content":"last"}`,
		`{"content":{"type":"text"}}`,
		`{"content":[]}`, `{}`, `[]`, `5`, ` null `, `{"\u0063ontent":[{"\u0074ype":"toolCall","arguments":{"a":"]}"}}]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !Valid(line) {
			return
		}
		kept := []Block{{Type: "kept"}}
		m, blocks := DecodeMessageBlocks(line, kept)
		require.Equal(t, DecodeMessage(line), m)
		require.Equal(t, append(kept, slices.Collect(Blocks(m.Content))...), blocks)
		for i, v := range slices.Collect(m.Content.Elements()) {
			require.Equal(t, DecodeBlock(v), blocks[1+i])
		}
	})
}
