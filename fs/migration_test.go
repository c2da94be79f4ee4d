package fs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/model"
)

// damagedOld is a session of version 1 with lines that are no entries.
const damagedOld = `{"type":"session","id":"v1","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/p","provider":"anthropic","modelId":"m","thinkingLevel":"off"}
{"type":"message","timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"one","timestamp":1}}
this is not JSON
{"type":"message","timestamp":"2025-01-02T03:04:07.000Z","message":{"role":"hookMessage","customType":"x","content":"hook","display":true,"timestamp":2}}
["nor an entry"]
{"type":"compaction","timestamp":"2025-01-02T03:04:09.000Z","summary":"sum","firstKeptEntryIndex":2,"tokensBefore":9}
{"type":"message","timestamp":"2025-01-02T03:04:10.000Z","message":{"role":"user","content":"two","timestamp":4}}
{"type":"message","timest`

// TestMigration names sessions of version 1 and 2 in a mount, which migrates their
// files. What was shown before is shown after, damaged lines included, and the real pi
// sees the same in both.
func TestMigration(t *testing.T) {
	files := map[string]string{"damaged": damagedOld}
	edges, err := filepath.Glob(filepath.Join(edgeStore, "v[12]-*.jsonl"))
	require.NoError(t, err)
	t.Run("real", func(t *testing.T) { // They are a part of the test, not a condition.
		real, err := filepath.Glob(filepath.Join(needs.RealSessions(t), "*.jsonl"))
		require.NoError(t, err)
		edges = append(edges, real...)
	})
	for _, path := range edges {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if name := strings.TrimSuffix(filepath.Base(path), ".jsonl"); name != "v1-no-id-no-cwd" { // no session
			files[name] = string(text)
		}
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) { testMigration(t, name, text) })
	}
}

func testMigration(t *testing.T, name, text string) {
	dir := t.TempDir()
	file := filepath.Join(dir, name+".jsonl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	long := time.Now().Add(-time.Hour) // so that nobody seems to be writing its last line
	require.NoError(t, os.Chtimes(file, long, long))
	old := piViewOf(t, file)
	at, err := filepath.Glob(filepath.Join(mount(t, Options{}, dir), "*", name))
	require.NoError(t, err)
	require.Len(t, at, 1)

	before := look(t, at[0], nil)
	require.NoError(t, os.WriteFile(filepath.Join(at[0], nameName), []byte("Migrated\n"), 0o644))
	after := look(t, at[0], before.contexts)
	assert.Equal(t, "Migrated\n", after.name)
	assert.Greater(t, len(after.entries), len(before.entries))
	for base, ino := range before.entries {
		assert.Equal(t, ino, after.entries[base], base)
	}
	for path, context := range before.contexts {
		assert.True(t, context == after.contexts[path], path)
	}
	assert.True(t, strings.HasPrefix(after.transcript, before.transcript), "the transcript has only grown")
	if text == damagedOld {
		for _, line := range []string{"this is not JSON", "nor an entry", `{"type":"message","timest`} {
			assert.Contains(t, after.transcript, line)
		}
	}

	migrated, err := os.ReadFile(file)
	require.NoError(t, err)
	head, _, _ := bytes.Cut(migrated, []byte("\n"))
	assert.Equal(t, "3", string(model.Value(head).Get("version")))
	if old != nil {
		now := piViewOf(t, file)
		n := len(old.Contexts)
		require.Len(t, now.Contexts, n+1)
		assert.Equal(t, old.Contexts, now.Contexts[:n])
		assert.Equal(t, old.LLM, now.LLM[:n])
		assert.Equal(t, "Migrated", now.Name)
	}
}

// A looked is what a session's directory showed.
type looked struct {
	name, transcript string
	entries          map[string]uint64 // inode numbers, by name
	contexts         map[string]string // by path
}

// look looks at a session's directory, and at some contexts: those at the same
// entries, or at about 25.
func look(t *testing.T, dir string, same map[string]string) looked {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	l := looked{name: read(nameName), transcript: read(nameTranscript), entries: make(map[string]uint64), contexts: make(map[string]string)}
	list, err := os.ReadDir(filepath.Join(dir, nameEntries))
	require.NoError(t, err)
	for i, e := range list {
		info, err := e.Info()
		require.NoError(t, err)
		l.entries[e.Name()] = info.Sys().(*syscall.Stat_t).Ino
		id, ok := strings.CutSuffix(e.Name(), ".md")
		for _, name := range []string{nameContext, nameContextJSON} {
			path := filepath.Join(nameBranches, id, name)
			if _, again := same[path]; ok && (again || same == nil && i%(len(list)/25+1) == 0) {
				l.contexts[path] = read(path)
			}
		}
	}
	return l
}

// A piView is what the real pi makes of a file: hashes of the contexts at each entry.
type piView struct {
	Name          string
	Contexts, LLM []string
}

// piViewOf asks the real pi, if it is there.
func piViewOf(t *testing.T, file string) (v *piView) {
	t.Run("pi", func(t *testing.T) {
		answer := oracle.Tell(t, file+"\n", "views")
		v = new(piView)
		require.NoError(t, json.Unmarshal(answer, v))
		require.NotEmpty(t, v.Contexts)
	})
	return v
}
