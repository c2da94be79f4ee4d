package fs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// TestSmallCache reads parts of files in many goroutines through a cache that holds a
// few batches, so that the buffers of batches are used again all the time.
func TestSmallCache(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		var lines []string
		for n := range 400 {
			text := strings.Repeat(fmt.Sprintf("session %d entry %d ", i, n), 1+n%50)
			if n%100 == 50 {
				text = strings.Repeat(text, 200) // longer than a batch
			}
			lines = append(lines, userLine(fmt.Sprintf("%08x", n), "", text))
		}
		writeSession(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), fmt.Sprint(i), "/p", "", lines...)
	}
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	var files []File
	var texts [][]byte
	roomy, tight := New(st, Options{CacheBytes: 1 << 30}), New(st, Options{CacheBytes: 400 << 10})
	for i := range 3 {
		for _, name := range []string{"transcript.md", "branches/00000033/context.md", "branches/00000032/context.json"} {
			path := fmt.Sprintf("p/s%d/%s", i, name)
			text, err := readNode(dirAt(t, roomy, filepath.Dir(path)), filepath.Base(path))
			require.NoError(t, err)
			n, err := dirAt(t, tight, filepath.Dir(path)).Lookup(filepath.Base(path))
			require.NoError(t, err)
			files, texts = append(files, n.(File)), append(texts, []byte(text))
		}
	}
	var readers sync.WaitGroup
	for seed := range uint64(4) {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 0))
			buf := make([]byte, 100<<10)
			for range 300 {
				i := rng.IntN(len(files))
				part := buf[:rng.IntN(len(buf))]
				off := rng.IntN(len(texts[i]))
				n, err := files[i].ReadAt(part, int64(off))
				if err != nil && !errors.Is(err, io.EOF) {
					t.Errorf("file %d at %d: %v", i, off, err)
				}
				if !bytes.Equal(texts[i][off:off+n], part[:n]) || n < min(len(part), len(texts[i])-off) {
					t.Errorf("file %d at %d: other bytes", i, off)
				}
			}
		})
	}
	readers.Wait()
	bytes, _, _ := tight.cache.Stats()
	assert.LessOrEqual(t, bytes, int64(400<<10)+300<<10, "the budget, and one large value")
}
