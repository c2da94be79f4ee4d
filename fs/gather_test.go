package fs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// TestTextsGrow reads the texts about a session while it grows: they are those of a
// tree that has just been made, and an entry costs its own bytes.
func TestTextsGrow(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	long := strings.Repeat("word ", 1000)
	var lines []string
	assistant := func(i int) string {
		return dated(fmt.Sprintf("a%d", i), fmt.Sprintf("a%d", i-1), i%60, fmt.Sprintf(`"type":"message","message":{"role":"assistant","provider":"p","model":"m%d","content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"t","name":"read","arguments":{"path":"f%d.go"}}],"usage":{"input":%d,"output":1,"cost":{"total":0.1}}}`, i%3, long, i, i))
	}
	lines = append(lines, userLine("a-1", "", "begin"))
	for i := range 100 {
		lines = append(lines, assistant(i))
	}
	writeSession(t, file, "1", "/p", `"parentSession":"x"`, lines...)
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	texts := func(tr *Tree) (all string) {
		d := dirAt(t, tr, "p/s")
		for _, name := range []string{nameInfo, nameTree, nameFiles} {
			text, err := readNode(d, name)
			require.NoError(t, err)
			all += text
		}
		return all
	}
	grown := New(st, Options{})
	texts(grown)
	for i, more := range []string{
		assistant(100),
		`{"type":"session_info","id":"n","parentId":"a100","timestamp":"2026-01-01T00:00:02.000Z","name":"Named"}`,
		dated("r", "a100", 50, `"type":"message","message":{"role":"toolResult","toolCallId":"t","content":[],"nestedCalls":{"calls":[{"name":"write","arguments":{"path":"nested.go"}}]}}`),
		assistant(101),
	} {
		appendTo(t, file, more)
		_, err := st.Sessions()[0].Refresh()
		require.NoError(t, err)
		before := st.Stats().BodyBytes
		got := texts(grown)
		assert.LessOrEqual(t, st.Stats().BodyBytes-before, int64(3*len(more)), "line %d is read for each text", i)
		assert.Equal(t, texts(New(st, Options{})), got)
	}
	assert.Contains(t, texts(grown), "w /p/nested.go\n", "what a script wrote")
}
