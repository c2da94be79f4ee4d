package fs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sendFile returns what sendfile(2) gives of an open file from an offset on. It asks for
// no attributes, but goes by the length that the kernel has.
func sendFile(t testing.TB, file *os.File, off int64) string {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer out.Close()
	for {
		n, err := syscall.Sendfile(int(out.Fd()), int(file.Fd()), &off, 1<<20)
		require.NoError(t, err)
		if n == 0 {
			break
		}
	}
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	return string(text)
}

// TestSendFile sends files on without having looked at them, as busybox's cat does.
func TestSendFile(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		root := mount(t, Options{ReadOnly: readOnly}, sampleStore)
		dir := filepath.Join(root, "home-ada-weather", nameLatest)
		for _, name := range []string{
			nameTranscript, nameInfo, nameTree, nameFiles, nameName, "current/context.md", "current/context.json",
			"entries/*.md", "entries/*.json", "labels/*", "images/*", "branches/*/context.md", "branches/*/context.json",
		} {
			paths, err := filepath.Glob(filepath.Join(dir, name))
			require.NoError(t, err)
			for _, path := range paths {
				file, err := os.Open(path)
				require.NoError(t, err)
				sent := sendFile(t, file, 0)
				require.NoError(t, file.Close())
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, string(text), sent, path)
			}
		}
	}
}

// TestListedMeanwhile reads transcripts for the first time, without having looked at
// them, while the directories that they are in are listed.
func TestListedMeanwhile(t *testing.T) {
	dir, paths, transcripts := prefilledStore(t)
	for _, readOnly := range []bool{true, false} {
		root := mount(t, Options{ReadOnly: readOnly, CacheBytes: prefilledCache}, dir)
		for _, path := range paths {
			file, err := os.Open(filepath.Join(root, path))
			require.NoError(t, err)
			var listers sync.WaitGroup
			for range 2 {
				listers.Go(func() { _, _ = os.ReadDir(filepath.Join(root, filepath.Dir(path))) })
			}
			text := make([]byte, 0, len(transcripts[path])+1)
			for {
				n, err := file.Read(text[len(text):cap(text)])
				text = text[:len(text)+n]
				if n == 0 || err != nil {
					break
				}
			}
			listers.Wait()
			assert.Len(t, text, len(transcripts[path]), path)
			assert.Len(t, sendFile(t, file, 0), len(transcripts[path]), path)
			require.NoError(t, file.Close())
		}
	}
}

// TestNamesakeMeanwhile has the directory of a session renamed, by another one that comes
// with the same name, while its transcript is open.
func TestNamesakeMeanwhile(t *testing.T) {
	dir, paths, transcripts := prefilledStore(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "more"), 0o755))
	root := mount(t, Options{ReadOnly: true}, dir)
	file, err := os.Open(filepath.Join(root, paths[0]))
	require.NoError(t, err)
	defer file.Close()
	require.Equal(t, transcripts[paths[0]], sendFile(t, file, 0))
	text, err := os.ReadFile(filepath.Join(dir, "s00.jsonl"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more/s00.jsonl"), text, 0o644))
	eventually(t, "two names", func() bool {
		named, err := filepath.Glob(filepath.Join(root, "p/s00~*"))
		require.NoError(t, err)
		for _, at := range named {
			_, err := os.ReadDir(at)
			require.NoError(t, err)
		}
		return len(named) == 2
	})
	assert.Equal(t, transcripts[paths[0]], sendFile(t, file, 0))
}

// TestGrowsAtFirstLook has sessions grow while somebody asks for the length of their
// transcripts for the first time: so much can be read then. If the kernel is told of the
// growth just while it is answered, it passes the answer on, but does not go by it until
// somebody looks again.
func TestGrowsAtFirstLook(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		dir, paths, _ := prefilledStore(t)
		root := mount(t, Options{ReadOnly: readOnly}, dir)
		for i, path := range paths {
			file, err := os.Open(filepath.Join(root, path))
			require.NoError(t, err)
			var writer sync.WaitGroup
			writer.Go(func() {
				time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
				name := filepath.Join(dir, fmt.Sprintf("s%02d.jsonl", i))
				appendTo(t, name, userLine("ffffffff", "000000c7", strings.Repeat("more ", 3000)))
				hourAgo := time.Now().Add(-time.Hour)
				assert.NoError(t, os.Chtimes(name, hourAgo, hourAgo))
			})
			eventually(t, path, func() bool {
				info, err := file.Stat()
				require.NoError(t, err)
				return len(sendFile(t, file, info.Size()-8)) >= 8
			})
			writer.Wait()
			eventually(t, "all of "+path, func() bool {
				info, err := file.Stat()
				require.NoError(t, err)
				return strings.HasSuffix(sendFile(t, file, info.Size()-8), "more \n\n")
			})
			require.NoError(t, file.Close())
		}
	}
}
