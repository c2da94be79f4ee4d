package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// someNames reads names from an open directory, as many as have room in size bytes.
func someNames(t *testing.T, fd, size int) (names []string) {
	t.Helper()
	buf := make([]byte, size)
	n, err := syscall.ReadDirent(fd, buf)
	require.NoError(t, err)
	_, _, names = syscall.ParseDirent(buf[:n], -1, nil)
	return names
}

// TestListingWhileSessionsCome reads a directory in two goes. Sessions that come
// between them neither repeat others nor hide them, whatever the kernel has kept.
func TestListingWhileSessionsCome(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		dir := t.TempDir()
		session := func(name string) {
			writeSession(t, filepath.Join(dir, name+".jsonl"), name, "/p", "", userLine("a", "", name))
		}
		var want []string
		for i := range 20 {
			name := fmt.Sprintf("s%02d", i)
			session(name)
			want = append(want, name)
		}
		project := filepath.Join(mount(t, Options{ReadOnly: readOnly}, dir), "p")
		for _, at := range []string{project, filepath.Join(project, nameTitles)} {
			_, err := os.ReadDir(at) // the kernel may keep it
			require.NoError(t, err)
			fd, err := syscall.Open(at, syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
			require.NoError(t, err)
			got := someNames(t, fd, 300)
			require.Less(t, len(got), 20)
			early := "early-" + filepath.Base(at)
			session(early)
			eventually(t, "a session that comes", func() bool {
				_, err := os.Lstat(filepath.Join(at, early))
				names, _ := os.ReadDir(at)
				return err == nil && len(names) > 0 && slices.ContainsFunc(names, func(e os.DirEntry) bool { return e.Name() == early })
			})
			for more := someNames(t, fd, 300); len(more) > 0; more = someNames(t, fd, 300) {
				got = append(got, more...)
			}
			require.NoError(t, syscall.Close(fd))
			slices.Sort(got)
			assert.Equal(t, slices.Compact(slices.Clone(got)), got, "%s: names repeat", at)
			assert.Subset(t, got, want, at)
		}
	}
}
