package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWritersSeeTheirWrites looks at everything that shows a name right after it was
// written, while the kernel has kept what was shown before.
func TestWritersSeeTheirWrites(t *testing.T) {
	m := newWriteMount(t, Options{})
	titles := filepath.Join(m.root, "edge-demo", nameTitles)
	for i := range 200 {
		name := fmt.Sprint("Name ", i)
		switch i % 3 {
		case 0:
			require.NoError(t, os.WriteFile(filepath.Join(m.dir, nameName), []byte(name), 0o644))
		case 1:
			list, err := os.ReadDir(titles)
			require.NoError(t, err)
			require.NoError(t, os.Rename(filepath.Join(titles, list[0].Name()), filepath.Join(titles, name)))
		case 2:
			require.NoError(t, syscall.Unlink(filepath.Join(m.dir, nameName)))
			name = "question"
		}
		list, err := os.ReadDir(titles)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, name, list[0].Name(), "write %d", i)
		if name != "question" {
			for _, file := range []string{nameName, nameInfo, nameTree, nameTranscript} {
				require.Contains(t, m.read(file), name, "write %d: %s", i, file)
			}
		}
		info, err := os.Stat(filepath.Join(m.dir, nameTranscript))
		require.NoError(t, err)
		require.Len(t, m.read(nameTranscript), int(info.Size()))
	}
}

// TestDeletersSeeTheirs lists a project right after a session of it was deleted.
func TestDeletersSeeTheirs(t *testing.T) {
	st := copyStore(t, edgeStore)
	t.Setenv("PATH", t.TempDir()) // no trash
	project := filepath.Join(mount(t, Options{AllowDelete: true}, st), "edge-demo")
	for range 4 { // by-title is the fifth
		list, err := os.ReadDir(project)
		require.NoError(t, err)
		require.NoError(t, syscall.Rmdir(filepath.Join(project, list[0].Name())))
		after, err := os.ReadDir(project)
		require.NoError(t, err)
		assert.Len(t, after, len(list)-1)
		titles, err := os.ReadDir(filepath.Join(project, nameTitles))
		require.NoError(t, err)
		assert.Len(t, titles, len(list)-4, "but for by-title, cwd and latest")
	}
}
