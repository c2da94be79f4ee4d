package tree_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// insertRetained copies the version-3 sessions below dir to another directory, with
// a few compactions put in that have a retainedTail, as the agent core wrote them.
// An entry's later children become the compaction's.
func insertRetained(t *testing.T, dir, to string, random *rand.Rand) {
	files, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*.jsonl"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		if string(model.Value(lines[0]).Get("version")) != "3" {
			continue
		}
		for n, line := range lines {
			lines[n] = withContent(line)
		}
		for n := range 3 {
			lines = insertCompaction(lines, fmt.Sprintf("00retain%d", n), random)
		}
		require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(file)), append(bytes.Join(lines, []byte("\n")), '\n'), 0o600))
	}
}

// withContent fills in a content that is null or missing: pi takes it as empty, the
// agent core leaves it alone.
func withContent(line model.Value) model.Value {
	empty := func(v model.Value) bool { return v == nil || v.Kind() == model.Null }
	switch message := line.Get("message"); {
	case message.Get("role") != nil && empty(message.Get("content")):
		return line.With("message", message.With("content", model.Value("[]")))
	case line.Get("type").Text() == "custom_message" && empty(line.Get("content")):
		return line.With("content", model.Value("[]"))
	}
	return line
}

func insertCompaction(lines [][]byte, id string, random *rand.Rand) [][]byte {
	at := 1 + random.IntN(len(lines)-1)
	parent := model.Value(lines[at]).Get("id")
	b := new(model.Builder).
		Text("type", "compaction").
		Text("id", id).
		Value("parentId", parent).
		Value("timestamp", model.Value(lines[at]).Get("timestamp")).
		Text("summary", "what came before "+id).
		Float("tokensBefore", float64(random.IntN(1000)))
	if random.IntN(2) == 0 {
		b.Value("firstKeptEntryId", model.Value(lines[1+random.IntN(at)]).Get("id"))
	}
	b.Value("retainedTail", model.Value([]string{"null", "[]", `[{"role":"user","content":"kept","timestamp":1}]`,
		`[{"role":"assistant","content":[{"type":"text","text":"kept"}]},{"role":"robot"}]`}[random.IntN(4)]))

	named, renamed := []byte(`"parentId":`+string(parent)), []byte(`"parentId":"`+id+`"`)
	inserted := append([][]byte{}, lines[:at+1]...)
	inserted = append(inserted, b.Object())
	for _, line := range lines[at+1:] {
		inserted = append(inserted, bytes.Replace(line, named, renamed, 1))
	}
	return inserted
}
