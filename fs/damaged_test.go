package fs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oddTexts are what may stand in a session for an id, a label, a name, a role.
var oddTexts = []string{
	"", ".", "..", "a/b", "%", "%2F", "%00", "-dash", "#hash", "tilde~", "a~00000000", " space ", "new\nline", "a\x00b",
	"\x1b[31m", "\u009b31m", "\u202e", "\u2028", "a\\b", "path", "context.md", "line-3", "x.md.json", "4913", "caf\u00e9",
	"## user \u00b7 aaaaaaaa \u00b7 2026", "```\n````", "---\nsession: x\n---", string(bytes.Repeat([]byte("\u00e9"), 130)),
}

// damage makes of a line what disks, editors and programs with bugs make of it.
func damage(r *rand.Rand, line []byte) []byte {
	line = bytes.Clone(line)
	at := r.IntN(len(line))
	switch r.IntN(8) {
	case 0:
		line[at] ^= 1 << r.IntN(8)
	case 1:
		return line[:at]
	case 2:
		return line[at:]
	case 3:
		return append(line, line...)
	case 4:
		return append(line[:at:at], append(make([]byte, 100), line[at:]...)...)
	default:
		var value map[string]any
		if json.Unmarshal(line, &value) != nil || len(value) == 0 {
			return line
		}
		replaceOne(r, value)
		line, _ = json.Marshal(value)
	}
	return line
}

// replaceOne puts something else in the place of a member of value, at any depth.
func replaceOne(r *rand.Rand, value map[string]any) {
	odd := []any{nil, true, -1, 1e300, []any{}, map[string]any{}, []any{map[string]any{"type": "text"}}, json.Number("12345678901234567890")}
	keys := slices.Sorted(maps.Keys(value))
	key := keys[r.IntN(len(keys))]
	if inner, ok := value[key].(map[string]any); ok && len(inner) > 0 && r.IntN(2) == 0 {
		replaceOne(r, inner)
	} else if n := r.IntN(len(odd) + len(oddTexts)); n < len(odd) {
		value[key] = odd[n]
	} else {
		value[key] = oddTexts[n-len(odd)]
	}
}

// TestDamagedSessions holds nodes of damaged session files to what all promise.
func TestDamagedSessions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(edgeStore, "*.jsonl"))
	require.NoError(t, err)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			checkNodes(t, newTree(t, Options{}, damagedStore(t, files, rand.New(rand.NewPCG(seed, 0)))))
		})
	}
}

// damagedStore makes a store of copies of files in which some lines are damaged.
func damagedStore(t *testing.T, files []string, r *rand.Rand) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 40 {
		text, err := os.ReadFile(files[r.IntN(len(files))])
		require.NoError(t, err)
		lines := bytes.Split(text, []byte("\n"))
		for range 1 + r.IntN(4) {
			if at := r.IntN(len(lines)); len(lines[at]) > 0 && len(lines[at]) < 20000 {
				lines[at] = damage(r, lines[at])
			}
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%02d.jsonl", i)), bytes.Join(lines, []byte("\n")), 0o644))
	}
	return dir
}

// TestOddNames has every odd text for an id, with the same and another for a label.
func TestOddNames(t *testing.T) {
	var lines []string
	for i, text := range oddTexts {
		lines = append(lines, userLine(text, "", "q"))
		for n, label := range []string{text, oddTexts[(i+1)%len(oddTexts)]} {
			line, err := json.Marshal(map[string]any{"type": "label", "id": fmt.Sprint("label", i, n), "targetId": text, "label": label})
			require.NoError(t, err)
			lines = append(lines, string(line))
		}
		name, err := json.Marshal(map[string]any{"type": "session_info", "id": fmt.Sprint("name", i), "name": text})
		require.NoError(t, err)
		lines = append(lines, string(name))
	}
	dir := t.TempDir()
	for i, text := range oddTexts {
		writeSession(t, filepath.Join(dir, fmt.Sprintf("s%02d.jsonl", i)), text, text, "", lines[:4*(i+1)]...)
	}
	assert.Greater(t, checkNodes(t, newTree(t, Options{}, dir)), 1000)
}
