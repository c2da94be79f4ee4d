package writeback_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// TestFork makes files of stored sessions without touching them.
func TestFork(t *testing.T) {
	label := `{"type":"label","id":"cccccccc","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:08.000Z","targetId":"aaaaaaaa","label":"L"}` + "\n"
	s := stored(t, small+label)
	text := read(t, s.Path)

	whole, err := writeback.Fork(s, writeback.ForkOptions{})
	require.NoError(t, err)
	assert.Equal(t, filepath.Dir(s.Path), filepath.Dir(whole))
	v := view(t, open(t, whole))
	assert.Equal(t, 3, v.Tree.Len())
	assert.Equal(t, s.Path, v.Header.ParentSession.Text())
	assert.Equal(t, "/home/dev/alpha", v.Header.Cwd.Text())

	dir := filepath.Join(t.TempDir(), "new")
	at, err := writeback.Fork(s, writeback.ForkOptions{Entry: "aaaaaaaa", Cwd: "/home/dev/beta", Dir: dir})
	require.NoError(t, err)
	assert.Equal(t, dir, filepath.Dir(at))
	v = view(t, open(t, at))
	assert.Equal(t, 2, v.Tree.Len())
	assert.Equal(t, "L", v.Tree.Label(0))
	assert.Equal(t, s.Path, v.Header.ParentSession.Text())
	assert.Equal(t, "/home/dev/beta", v.Header.Cwd.Text())

	never := filepath.Join(t.TempDir(), "never")
	_, err = writeback.Fork(s, writeback.ForkOptions{Entry: "nosuch", Dir: never})
	require.ErrorIs(t, err, writeback.ErrUnknownEntry)
	assert.NoDirExists(t, never)
	assert.Equal(t, text, read(t, s.Path))

	quiet := stored(t, header+`{"type":"model_change","id":"aaaaaaaa","parentId":null,"timestamp":"2025-01-02T03:04:06.000Z","provider":"p","modelId":"m"}`+"\n")
	_, err = writeback.Fork(quiet, writeback.ForkOptions{Entry: "aaaaaaaa"})
	require.ErrorIs(t, err, writeback.ErrNoConversation)
	assertAlone(t, quiet.Path)
}

// TestForkLegacy gives the entries of the copy the ids that the original shows.
func TestForkLegacy(t *testing.T) {
	s := stored(t, legacy)
	shown := view(t, s)
	last := shown.Tree.ID(shown.Tree.Len() - 1)
	for _, entry := range []string{"", last} {
		path, err := writeback.Fork(s, writeback.ForkOptions{Entry: entry, Dir: t.TempDir()})
		require.NoError(t, err)
		fork := view(t, open(t, path))
		require.Equal(t, shown.Tree.Len(), fork.Tree.Len())
		for i := range fork.Tree.Len() {
			assert.Equal(t, shown.Tree.ID(i), fork.Tree.ID(i))
		}
		assert.Equal(t, contextsOf(t, shown)[last], contextsOf(t, fork)[last])
	}
	assert.Equal(t, legacy, read(t, s.Path))
}

// TestForkMode: the mode of a fork is no wider than that of what it was made from, and
// its owner can write to it.
func TestForkMode(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	made := func(path string, err error) os.FileMode {
		t.Helper()
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	for _, c := range []struct{ umask, source, fork os.FileMode }{
		{0o022, 0o600, 0o600},
		{0o022, 0o644, 0o644},
		{0o022, 0o666, 0o644},
		{0o022, 0o755, 0o644},
		{0o022, 0o440, 0o640},
		{0o077, 0o644, 0o600},
	} {
		syscall.Umask(int(c.umask))
		s := stored(t, small)
		require.NoError(t, os.Chmod(s.Path, c.source))
		assert.Equal(t, c.fork, made(writeback.Fork(s, writeback.ForkOptions{})), "%o", c.source)
		assert.Equal(t, c.fork, made(writeback.Fork(s, writeback.ForkOptions{Entry: "aaaaaaaa"})), "%o", c.source)
	}
	syscall.Umask(0o022)
	dir := t.TempDir()
	s, err := writeback.ForkFrom(stored(t, small).Path, "/home/dev/beta", writeback.SessionOptions{Dir: dir})
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), made(s.CreateBranchedSession("aaaaaaaa")))
	_, err = s.NewSession(writeback.NewOptions{})
	require.NoError(t, err)
	_, err = s.AppendMessage(userMessage)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), made(s.File(), nil), "what comes of nothing has the mode that pi gives it")
}

// TestBranchModeOfLateBirth: a branch without a message is born with its first one.
func TestBranchModeOfLateBirth(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	quiet := stored(t, header+`{"type":"model_change","id":"aaaaaaaa","parentId":null,"timestamp":"2025-01-02T03:04:06.000Z","provider":"p","modelId":"m"}`+"\n")
	s, err := writeback.Open(quiet.Path, writeback.SessionOptions{})
	require.NoError(t, err)
	_, err = s.CreateBranchedSession("aaaaaaaa")
	require.NoError(t, err)
	assert.NoFileExists(t, s.File())
	_, err = s.AppendMessage(userMessage)
	require.NoError(t, err)
	info, err := os.Stat(s.File())
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
