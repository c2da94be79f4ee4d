package fs

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLabelNoID tries to label entries that have no id of their own: nothing could
// name them. It fails where it can be known, not at the close.
func TestLabelNoID(t *testing.T) {
	for session, entry := range map[string]string{
		"v3-without-ids":                 "line-2",
		"duplicate-id-different-content": "line-2",
	} {
		st := copyStore(t, edgeStore)
		dir := filepath.Join(mount(t, Options{}, st), "edge-demo", session)
		require.FileExists(t, filepath.Join(dir, nameEntries, entry+".json"))
		before, err := os.ReadFile(filepath.Join(st, session+".jsonl"))
		require.NoError(t, err)
		labels := filepath.Join(dir, nameLabels)

		refuse(t, syscall.EINVAL, "create", open(filepath.Join(labels, entry), syscall.O_CREAT|syscall.O_WRONLY))
		refuse(t, syscall.EINVAL, "symlink", syscall.Symlink("../entries/"+entry+".md", filepath.Join(labels, "x")))
		fd, err := syscall.Open(filepath.Join(labels, "x"), syscall.O_CREAT|syscall.O_WRONLY, 0o644)
		require.NoError(t, err)
		_, err = syscall.Write(fd, []byte(entry+"\n"))
		refuse(t, syscall.EINVAL, "write", err)
		require.NoError(t, syscall.Close(fd))
		after, err := os.ReadFile(filepath.Join(st, session+".jsonl"))
		require.NoError(t, err)
		assert.Equal(t, string(before), string(after))
	}
}

// TestLabelLinkOnID links an entry to the name that stands for another one's label.
func TestLabelLinkOnID(t *testing.T) {
	m := newWriteMount(t, Options{})
	assert.Empty(t, m.added(func() {
		refuse(t, syscall.EPERM, "symlink", syscall.Symlink("../entries/d1.json", filepath.Join(m.dir, nameLabels, "c2")))
	}))
}

// TestLabelAsCreated finds labels under the names that they were made by, though they
// are listed under others.
func TestLabelAsCreated(t *testing.T) {
	for _, name := range []string{strings.Repeat("long ", 45) + "x", strings.Repeat("é", 120), "%61bc", "a ", "%642"} {
		m := newWriteMount(t, Options{})
		file := filepath.Join(m.dir, nameLabels, name)
		require.NoError(t, os.WriteFile(file, []byte("a\n"), 0o644))
		assert.Equal(t, "a\n", m.read(filepath.Join(nameLabels, name)))
		assert.Len(t, m.labels(), 1)
		assert.Empty(t, m.added(func() {
			require.NoError(t, os.WriteFile(file, []byte("a\n"), 0o644))
			fd, err := syscall.Open(file, syscall.O_CREAT|syscall.O_WRONLY, 0o644)
			require.NoError(t, err)
			require.NoError(t, syscall.Close(fd))
		}), "nothing has changed")
		refuse(t, syscall.EEXIST, "create "+name, open(file, syscall.O_CREAT|syscall.O_EXCL|syscall.O_WRONLY))
		assert.Len(t, m.added(func() { require.NoError(t, syscall.Unlink(file)) }), 1)
		assert.Empty(t, m.labels())
	}
}

// TestLabelNothing labels the current position of a session that has none.
func TestLabelNothing(t *testing.T) {
	st := copySession(t, "header-only")
	root := mount(t, Options{}, st)
	dir := filepath.Join(root, "edge-demo/header-only")
	out, err := shell(t, dir, "bash", "touch labels/x")
	assert.Error(t, err)
	assert.Contains(t, out, "Invalid argument")
	_, err = shell(t, dir, "bash", ": > labels/x")
	require.NoError(t, err, "a shell does not look at what closing a file answers")
	eventually(t, "the log", func() bool {
		log, err := os.ReadFile(filepath.Join(root, ".pifs/log"))
		return err == nil && strings.Contains(string(log), "no such entry")
	})
}
