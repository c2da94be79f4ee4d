package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// tmpfs mounts a file system in memory that has room for so many bytes.
func tmpfs(t *testing.T, size string) (dir string) {
	t.Helper()
	needs.Root(t)
	dir = t.TempDir()
	if err := syscall.Mount("pifs-test", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("root may not mount here: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// TestFullDisk writes to a session on a disk that fills up. Each program says so as
// soon as there is no room for its line, with all entries as they were, and once there
// is room again it writes.
func TestFullDisk(t *testing.T) {
	disk := tmpfs(t, "64k")
	file := filepath.Join(disk, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "question"))
	filler := filepath.Join(disk, "filler")
	m := &writeMount{t: t, file: file, root: mount(t, Options{}, disk)}
	m.dir = filepath.Join(m.root, "p/s")
	for _, row := range []struct{ shell, line string }{
		{"bash", `echo "%s" > name`},
		{"dash", `echo "%s" > name`},
		{"zsh", `echo "%s" > name`},
		{"fish", `echo "%s" > name`},
		{"bash", `echo a > "labels/%s"`},
		{"bash", `echo "%s" > labels/a`},
		{"bash", `touch "labels/%s"`},
		{"bash", `ln -s ../entries/a.json "labels/%s"`},
		{"bash", `echo "%s" | tee name`},
		{"python3", `with open("name", "w") as f: f.write(8 * "%s")`},
	} {
		t.Run(row.shell+" "+row.line, func(t *testing.T) {
			m.t = t
			needs.Program(t, row.shell)
			fill(t, filler)
			said, err := "", error(nil)
			for i := 0; err == nil; i++ {
				require.Less(t, i, 200, "it is never said that the disk is full")
				before := m.bytes()
				line := fmt.Sprintf(row.line, fmt.Sprintf("%s %d", strings.Repeat("x", 100), i))
				if said, err = shell(t, m.dir, row.shell, line); err != nil {
					assert.Equal(t, string(before), string(m.settled()), "entries are as they were")
				}
			}
			if row.shell != "dash" || !strings.Contains(said, "echo: I/O error") {
				assert.Contains(t, said, "o space left on device")
			}
			require.NoError(t, os.Remove(filler))
			before := m.bytes()
			said, err = shell(t, m.dir, row.shell, fmt.Sprintf(row.line, "there is room"))
			assert.NoError(t, err, said)
			assert.Contains(t, string(m.settled()[len(before):]), "there is room")
			out, err := shell(t, m.dir, "bash", `rm name; rm -f labels/*`) // so that the next writes something else
			require.NoError(t, err, out)
		})
	}
	log, err := os.ReadFile(filepath.Join(m.root, ".pifs/log"))
	require.NoError(t, err)
	assert.Empty(t, string(log), "nothing was found out too late")
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
}
