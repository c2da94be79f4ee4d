package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/model"
)

// realLines returns the entries' lines of the real session files.
func realLines(t testing.TB) (lines []model.Value) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(needs.RealSessions(t), "*.jsonl"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range bytes.Lines(text) {
			line = model.Clean(bytes.TrimSpace(line))
			if _, ok := model.Scan(line); ok {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// generatedLines returns lines such as those of an ordinary session: a prompt,
// calls and results, long texts with many escapes.
func generatedLines() (lines []model.Value) {
	code := strings.Repeat("func main() {\n\tfmt.Println(\"a \\\"quoted\\\" word\")\n}\n", 40)
	quoted := string(model.AppendString(nil, code))
	prose := string(model.AppendString(nil, strings.Repeat("A paragraph with `code` and **emphasis**.\n\n- an item\n", 8)))
	for range 50 {
		lines = append(lines,
			model.Value(`{"type":"message","id":"8a16ac06","message":{"role":"user","content":[{"type":"text","text":`+prose+`}]}}`),
			model.Value(`{"type":"message","id":"8a16ac06","message":{"role":"assistant","content":[{"type":"thinking","thinking":`+prose+`},{"type":"toolCall","id":"call_1","name":"write","arguments":{"path":"main.go","content":`+quoted+`}}],"provider":"p","model":"m","stopReason":"toolUse"}}`),
			model.Value(`{"type":"message","id":"8a16ac06","message":{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":`+quoted+`}]}}`),
		)
	}
	return lines
}

func benchmarkEntry(b *testing.B, lines []model.Value) {
	in, out := 0, 0
	entries := make([]model.Entry, len(lines))
	for i, line := range lines {
		entries[i] = model.DecodeEntry(line)
		in += len(line)
		out += len(Entry(entries[i], placed(entries[i])).Text)
	}
	b.Run("decoded", func(b *testing.B) {
		b.SetBytes(int64(out))
		b.ReportAllocs()
		for b.Loop() {
			for _, e := range entries {
				Entry(e, Place{ID: "8a16ac06", Time: 1765241609825})
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(lines)), "ns/entry")
		b.ReportMetric(float64(in)/float64(out), "in/out")
	})
	b.Run("lines", func(b *testing.B) {
		b.SetBytes(int64(out))
		for b.Loop() {
			for _, line := range lines {
				Entry(model.DecodeEntry(line), Place{ID: "8a16ac06", Time: 1765241609825})
			}
		}
	})
}

// BenchmarkEntry reports MB/s of Markdown written, from decoded entries and from
// lines.
func BenchmarkEntry(b *testing.B) {
	b.Run("real", func(b *testing.B) { benchmarkEntry(b, realLines(b)) })
	b.Run("generated", func(b *testing.B) { benchmarkEntry(b, generatedLines()) })
}

// BenchmarkClean reports MB/s of JSON string text read.
func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"prose": strings.Repeat("A line of text as it is often found.\n", 200),
		"code":  strings.Repeat("\tfmt.Println(\"x\")\n", 400),
		"cjk":   strings.Repeat("日本語のテキスト。\n", 300),
	} {
		quoted := model.Value(model.AppendString(nil, text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(quoted)))
			dst := make([]byte, 0, 2*len(quoted))
			for b.Loop() {
				dst = appendString(dst[:0], quoted)
			}
		})
	}
}
