package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// digests opens a store with a memory, and returns what its list tells of each file
// and how many bytes of session files were read for it, but for their heads.
func digests(t *testing.T, dir, memory string) (map[string]Summary, int64) {
	t.Helper()
	s, err := Open(t.Context(), []string{dir}, Options{Memory: memory})
	require.NoError(t, err)
	all := make(map[string]Summary)
	require.NoError(t, s.DigestAll(t.Context(), 2, func(x *Session, d Digest, err error) {
		require.NoError(t, err)
		assert.Equal(t, x, d.Session)
		all[x.Rel] = d.Summary
	}))
	read := s.Stats().ScanBytes + s.Stats().Compared
	require.NoError(t, s.Close())
	return all, read
}

// TestMemory lists a store again and again while it changes.
func TestMemory(t *testing.T) {
	dir, memory := t.TempDir(), filepath.Join(t.TempDir(), "new", "sessions.json")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../testdata/edge")))
	file := filepath.Join(dir, "three-way-branch-labels.jsonl")
	time.Sleep(tooFresh + 100*time.Millisecond) // what was changed just now is not remembered
	first, all := digests(t, dir, memory)
	require.Positive(t, all)
	st, err := os.Stat(memory)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())

	second, read := digests(t, dir, memory)
	assert.Equal(t, first, second)
	assert.Zero(t, read, "all is remembered")

	add(t, file, `{"type":"session_info","id":"n","parentId":null,"timestamp":"2026-01-01T00:00:02.000Z","name":"Named"}`+"\n")
	third, read := digests(t, dir, memory)
	assert.Equal(t, "Named", third["three-way-branch-labels.jsonl"].Name)
	assert.Positive(t, read)
	assert.Less(t, read, all/2, "only what has changed is scanned")
	fourth, read := digests(t, dir, memory)
	assert.Equal(t, third, fourth)
	assert.Positive(t, read, "what was changed just now is not remembered")

	// The same size and the same mtime, but other bytes.
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, err := os.Stat(file)
	require.NoError(t, err)
	time.Sleep(tooFresh + 100*time.Millisecond)
	digests(t, dir, memory)
	copy(text[len(text)-8:], "NAMED")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	require.NoError(t, os.Chtimes(file, before.ModTime(), before.ModTime()))
	fifth, _ := digests(t, dir, memory)
	assert.Equal(t, "NAMED", fifth["three-way-branch-labels.jsonl"].Name)

	for _, damaged := range []string{"", "{", `{"Version":0}`, `{"Version":1,"Sessions":null}`, "\x00\x01"} {
		require.NoError(t, os.WriteFile(memory, []byte(damaged), 0o600))
		again, _ := digests(t, dir, memory)
		assert.Equal(t, fifth, again, "a damaged memory is as good as none")
	}
}

// TestMemoryOfTwoStores keeps what is remembered of another store, until it is gone.
func TestMemoryOfTwoStores(t *testing.T) {
	one, two, memory := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "sessions.json")
	write(t, filepath.Join(one, "a.jsonl"), headerLine+chain(3))
	write(t, filepath.Join(two, "b.jsonl"), headerLine+chain(4))
	time.Sleep(tooFresh + 100*time.Millisecond)
	digests(t, one, memory)
	digests(t, two, memory)
	_, read := digests(t, one, memory)
	assert.Zero(t, read)
	require.NoError(t, os.Remove(filepath.Join(one, "a.jsonl")))
	write(t, filepath.Join(two, "c.jsonl"), headerLine+chain(5))
	time.Sleep(tooFresh + 100*time.Millisecond)
	digests(t, two, memory)
	text, err := os.ReadFile(memory)
	require.NoError(t, err)
	assert.NotContains(t, string(text), one)
	assert.Contains(t, string(text), "c.jsonl")
}
