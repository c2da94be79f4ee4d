package fs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReadsWhole has many programs read texts that leave the cache at once: each lookup
// comes while others read, and must not make the file shorter for them.
func TestReadsWhole(t *testing.T) {
	dir := t.TempDir()
	for i := range 8 {
		var lines []string
		for n := range 1500 {
			lines = append(lines, userLine(fmt.Sprintf("%08x", n), "", fmt.Sprintf("session %d, entry %d", i, n)))
		}
		writeSession(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), fmt.Sprint(i), "/p", "", lines...)
	}
	root := mount(t, Options{CacheBytes: 256 << 10}, dir)
	files, err := filepath.Glob(filepath.Join(root, "p/s*", nameTree))
	require.NoError(t, err)
	require.Len(t, files, 8)
	sizes := make([]int64, len(files))
	for i, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		sizes[i] = info.Size()
	}
	var readers sync.WaitGroup
	end := time.Now().Add(2 * time.Second)
	for seed := range uint64(8) {
		readers.Go(func() {
			for rng := rand.New(rand.NewPCG(seed, 0)); time.Now().Before(end); {
				i := rng.IntN(len(files))
				text, err := os.ReadFile(files[i])
				if err != nil || int64(len(text)) != sizes[i] {
					t.Errorf("%s: %d bytes of %d: %v", files[i], len(text), sizes[i], err)
					return
				}
			}
		})
	}
	readers.Wait()
}
