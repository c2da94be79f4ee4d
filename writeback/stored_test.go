package writeback_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

const (
	header    = `{"type":"session","version":3,"id":"s1","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/home/dev/alpha"}` + "\n"
	user      = `{"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"hi","timestamp":1}}` + "\n"
	assistant = `{"type":"message","id":"bbbbbbbb","parentId":"aaaaaaaa","timestamp":"2025-01-02T03:04:07.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"m","timestamp":2}}` + "\n"
	small     = header + user + assistant
)

// stored writes text to a file of a store of its own and returns the session.
func stored(t testing.TB, text string) *store.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return open(t, path)
}

// open returns the session in the file at path, of a store that is opened for it.
func open(t testing.TB, path string) *store.Session {
	t.Helper()
	st, err := store.Open(context.Background(), []string{filepath.Dir(path)}, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { st.Close() })
	for _, s := range st.Sessions() {
		if s.Path == path {
			return s
		}
	}
	t.Fatalf("%s is no session: %v", path, st.Skipped())
	return nil
}

// view returns the session as it is now.
func view(t testing.TB, s *store.Session) *store.View {
	t.Helper()
	v, err := s.Refresh()
	require.NoError(t, err)
	return v
}

// read returns the text of a file.
func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// added returns what has been appended to the session's file, which must begin
// with what was in it.
func added(t testing.TB, s *store.Session, before string) string {
	t.Helper()
	after, ok := strings.CutPrefix(read(t, s.Path), before)
	require.True(t, ok, "the old bytes are not as they were")
	return after
}

// requireWhole checks that a file has nothing but whole lines, but for at most one
// that is torn.
func requireWhole(t testing.TB, path string) {
	t.Helper()
	text := read(t, path)
	torn := 0
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && !model.Valid([]byte(line)) {
			torn++
		}
	}
	require.LessOrEqual(t, torn, 1, "torn lines")
}

// assertAlone checks that there is no other file beside one.
func assertAlone(t testing.TB, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range entries {
		assert.Equal(t, filepath.Base(path), e.Name())
	}
}

// edge returns the path of a copy of a file of testdata/edge.
func edge(t testing.TB, name string) string {
	t.Helper()
	return copyOf(t, filepath.Join(needs.Module(t), "testdata", "edge", name))
}

// copyOf copies a file into a directory of its own.
func copyOf(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	require.NoError(t, os.WriteFile(to, []byte(read(t, path)), 0o600))
	return to
}

// tmpfs mounts a memory file system of the given size, which only root can.
func tmpfs(t *testing.T, size string) string {
	t.Helper()
	needs.Root(t)
	dir := t.TempDir()
	if err := syscall.Mount("pifs-test", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("root may not mount here: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}
