package store

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestReadDirectory holds readDirectory against os.ReadDir, with more names than fit
// into the buffer.
func TestReadDirectory(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		write(t, filepath.Join(dir, fmt.Sprintf("%03d%s", i, strings.Repeat("x", i%250))), "")
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "directory"), 0o755))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	types := map[fs.FileMode]uint8{0: unix.DT_REG, fs.ModeDir: unix.DT_DIR, fs.ModeSymlink: unix.DT_LNK, fs.ModeNamedPipe: unix.DT_FIFO}
	want := make(map[string]uint8)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		want[e.Name()] = types[e.Type()]
		typ, err := typeOf(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		assert.Equal(t, types[e.Type()], typ, e.Name())
	}
	got := make(map[string]uint8)
	require.NoError(t, readDirectory(dir, make([]byte, 4096), func(name []byte, typ uint8) { got[string(name)] = typ }))
	assert.Equal(t, want, got)
}

// TestUntypedDirents is a file system that does not tell the types of names.
func TestUntypedDirents(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o755))
	record := func(name string) []byte {
		b := make([]byte, 19+len(name)+1)
		binary.NativeEndian.PutUint16(b[16:], uint16(len(b)))
		copy(b[19:], name)
		return b
	}
	var got []string
	err := eachDirent(dir, append(append(record(".."), record("gone")...), record("a")...), func(name []byte, typ uint8) {
		got = append(got, fmt.Sprint(string(name), typ))
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"a4"}, got)
}
