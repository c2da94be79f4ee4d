package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

func TestContextHeadGolden(t *testing.T) {
	h := ContextHead{
		Session:       "019a3e6e",
		Leaf:          "8a16ac06",
		Model:         model.Value(`{"provider":"anthropic","modelId":"claude"}`),
		ThinkingLevel: model.Value(`"high"`),
		Messages:      12,
		Created:       0,
		Updated:       1765241609825,
	}
	golden(t, "context-head.md", h.Append(nil))
	odd := ContextHead{Session: "a: #\"\\\n\x1b\u0085\u202e\u2028\ufeff\uffff🙂", Model: model.Value("null"), Created: model.NoTime, Updated: model.NoTime}
	golden(t, "context-head-odd.md", odd.Append(nil))
}

func TestTranscriptHeadGolden(t *testing.T) {
	h := model.DecodeHeader(model.Value(`{"type":"session","version":3,"id":"019a3e6e","timestamp":"2025-12-09T00:53:29.825Z","cwd":"/home/dev/alpha"}`))
	golden(t, "transcript-head.md", TranscriptHead(nil, h))
	golden(t, "transcript-head-odd.md", TranscriptHead(nil, model.DecodeHeader(model.Value(`{"id":5}`))))
}

// FuzzYAML checks that a value is one line of plain text, and a JSON string: a
// string to YAML as well.
func FuzzYAML(f *testing.F) {
	f.Add("a: #\"\\\n\x1b\u0085\u202e\u2028\ufeff")
	f.Fuzz(func(t *testing.T, text string) {
		line := appendYAML(nil, "key", text)
		require.True(t, isText(line))
		require.Equal(t, 1, bytes.Count(line, []byte("\n")))
		value, ok := strings.CutPrefix(string(line), "key: ")
		require.True(t, ok)
		var decoded string
		require.NoError(t, json.Unmarshal([]byte(value), &decoded))
		require.Equal(t, strings.ToValidUTF8(text, ""), strings.ReplaceAll(decoded, replacement, ""))
	})
}

func TestContextJSON(t *testing.T) {
	null, level := model.Value("null"), model.Value(`"off"`)
	for want, parts := range map[string][]model.Value{
		"{\"thinkingLevel\":\"off\",\"model\":null,\"messages\":[\n\n]}\n":    {level, null},
		"{\"model\":null,\"messages\":[\n{\"a\":1}\n]}\n":                     {nil, null, model.Value(`{"a":1}`)},
		"{\"thinkingLevel\":\"off\",\"model\":{},\"messages\":[\n1,\n2\n]}\n": {level, model.Value(" { } "), model.Value("1"), model.Value("2")},
	} {
		text := ContextJSONHead(nil, parts[0], parts[1])
		for n, message := range parts[2:] {
			if n > 0 {
				text = append(text, ",\n"...)
			}
			text = append(text, message...)
		}
		text = ContextJSONTail(text)
		assert.Equal(t, want, string(text))
		assert.True(t, json.Valid(text))
	}
}

func TestEntryJSON(t *testing.T) {
	v := model.Value(`{"id":"a","n":1.50,"s":"\u00e9","list":[],"o":{"k":[1,2]}}`)
	want := "{\n  \"id\": \"a\",\n  \"n\": 1.50,\n  \"s\": \"\\u00e9\",\n  \"list\": [],\n  \"o\": {\n    \"k\": [\n      1,\n      2\n    ]\n  }\n}\n"
	assert.Equal(t, want, string(EntryJSON(nil, v)))
	assert.Equal(t, "x"+want, string(EntryJSON([]byte("x"), v)))
}
