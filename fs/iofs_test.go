package fs

import (
	"context"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// TestIOFSPaths follows links as the operating system would, out of the tree too, and
// tells what a path is that is none.
func TestIOFSPaths(t *testing.T) {
	tr := newTree(t, Options{}, edgeStore)
	fsys := tr.FS().(ioFS)
	dir := "edge-demo/" + branchy
	stored, err := os.ReadFile(filepath.Join(edgeStore, branchy+".jsonl"))
	require.NoError(t, err)
	assert.Equal(t, string(stored), readFS(t, tr, dir+"/session.jsonl"), "the store file")
	info, err := fsys.Stat(dir + "/session.jsonl")
	require.NoError(t, err)
	assert.EqualValues(t, len(stored), info.Size())
	info, err = fsys.Lstat(dir + "/session.jsonl")
	require.NoError(t, err)
	assert.Equal(t, iofs.ModeSymlink, info.Mode().Type())
	assert.Equal(t, readFS(t, tr, dir+"/branches/d3/context.md"), readFS(t, tr, dir+"/current/context.md"))
	_, err = fsys.ReadLink(dir + "/name")
	assert.ErrorIs(t, err, iofs.ErrInvalid)
	_, err = fsys.ReadDir(dir + "/name")
	assert.ErrorIs(t, err, syscall.ENOTDIR)
	for _, name := range []string{"nobody", dir + "/none", dir + "/name/below", dir + "/session.jsonl/below"} {
		_, err = fsys.Stat(name)
		assert.Error(t, err, name)
	}
	for _, name := range []string{"/", "../x", "edge-demo/", "edge-demo//x", ""} {
		_, err = fsys.Open(name)
		assert.ErrorIs(t, err, iofs.ErrInvalid, name)
	}
	f, err := fsys.Open(dir)
	require.NoError(t, err)
	_, err = f.Read(make([]byte, 1))
	assert.ErrorIs(t, err, syscall.EISDIR)
}

// TestIOFSKeeps holds that an open file has the length that it had when it was opened.
func TestIOFSKeeps(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	tr := New(st, Options{})
	before := readFS(t, tr, "p/s/transcript.md")
	f, err := tr.FS().Open("p/s/transcript.md")
	require.NoError(t, err)
	appendTo(t, file, userLine("b", "a", "second"))
	_, err = st.Sessions()[0].Refresh()
	require.NoError(t, err)
	assert.Contains(t, readFS(t, tr, "p/s/transcript.md"), "second")
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	assert.Equal(t, before, string(text))
}
