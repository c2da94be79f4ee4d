package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// maxIndexBytes is what an entry may cost in memory once its session is scanned.
const maxIndexBytes = 50

// heap returns the bytes that are in use after garbage is collected.
func heap() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestIndexMemory measures an index, with its tree and view, by the entry. Sessions
// are of the size that is usual; what each costs beside its entries counts too.
func TestIndexMemory(t *testing.T) {
	dir := bigStore(t)
	t.Run("scanned", func(t *testing.T) { measureIndex(t, open(t, dir)) })
	memory := memoryIn(t)
	first := keeping(t, dir, memory)
	require.NoError(t, first.ScanAll(t.Context(), 1, nil))
	require.NoError(t, first.Close())
	t.Run("restored", func(t *testing.T) { measureIndex(t, keeping(t, dir, memory)) })
}

func measureIndex(t *testing.T, s *Store) {
	before := heap()
	entries := 0
	require.NoError(t, s.ScanAll(context.Background(), 1, func(x *Session, v *View, err error) {
		require.NoError(t, err)
		entries += v.Tree.Len()
	}))
	bytes := heap() - before
	t.Logf("%d sessions, %d entries, %.1f bytes an entry", len(s.Sessions()), entries, float64(bytes)/float64(entries))
	assert.LessOrEqual(t, bytes, int64(maxIndexBytes*entries))
	runtime.KeepAlive(s)
}

// TestKeptStore holds the indexes of a whole store that are restored against those that
// are scanned.
func TestKeptStore(t *testing.T) {
	dir, memory := bigStore(t), memoryIn(t)
	plain, first, second := open(t, dir), keeping(t, dir, memory), keeping(t, dir, memory)
	for _, s := range []*Store{plain, first, second} {
		require.NoError(t, s.ScanAll(t.Context(), 2, nil))
		if s == first {
			require.NoError(t, s.Close())
		}
	}
	assert.EqualValues(t, len(plain.Sessions()), second.Stats().Restored)
	assert.Zero(t, second.Stats().ScanBytes)
	for i, x := range second.Sessions() {
		want := plain.Sessions()[i]
		x.index.marks = nil
		require.Equal(t, want.index.appendTo(nil), x.index.appendTo(nil), x.Rel)
		require.Equal(t, view(t, want).Summary, view(t, x).Summary, x.Rel)
		require.Equal(t, view(t, want).Tree.Branches(), view(t, x).Tree.Branches(), x.Rel)
	}
}

func TestLongChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	fmt.Fprint(w, headerLine)
	const n = 100_000
	for i := range n {
		fmt.Fprint(w, message(i, "text"))
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())

	s := open(t, filepath.Dir(path))
	before := heap()
	x := only(t, s)
	v := view(t, x)
	t.Logf("%.1f bytes an entry", float64(heap()-before)/n)
	assert.Equal(t, n, v.Tree.Len())
	assert.Len(t, v.Tree.Path(v.Tree.Leaf()), n)

	begin := time.Now()
	const appends = 200
	for i := range appends {
		add(t, path, message(n+i, "more"))
		assert.Equal(t, n+i+1, refresh(t, x).Tree.Len())
	}
	t.Logf("%v an append", time.Since(begin)/appends)
	assert.LessOrEqual(t, s.Stats().ScanBytes, x.Stat().Size)
	e, err := view(t, x).Entry(n)
	require.NoError(t, err)
	assert.Equal(t, "more", textOf(e))
}

func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MiB")
	}
	const long = 100 << 20
	text := headerLine + message(0, "short") + message(1, strings.Repeat("x", long)) + message(2, "end")
	s, x := one(t, text)
	v := view(t, x)
	assert.Equal(t, 3, v.Tree.Len())
	assert.EqualValues(t, len(text), s.Stats().ScanBytes, "each byte is read once")
	e, err := v.Entry(1)
	require.NoError(t, err)
	assert.Len(t, e.Raw, len(message(1, ""))-1+long)
	e, err = v.Entry(2)
	require.NoError(t, err)
	assert.Equal(t, "end", textOf(e))
	require.NoError(t, v.Each([]int32{0, 1, 2}, func(int, *model.Entry) error { return nil }))

	text, e = "", model.Entry{}
	assert.Less(t, heap(), int64(long), "what was needed to read it is given back")
}

func TestTenThousand(t *testing.T) {
	dir := t.TempDir()
	writeSessions(t, dir, 10_000, 1)
	begin := time.Now()
	s := open(t, dir)
	t.Logf("opened in %v", time.Since(begin))
	assert.Len(t, s.Sessions(), 10_000)
	assert.EqualValues(t, 10_000, s.Stats().Heads)
	assert.Zero(t, s.Stats().ScanBytes)
	assert.Zero(t, s.Stats().OpenFiles)
	heads := s.Stats().Heads
	begin = time.Now()
	s.Rescan()
	t.Logf("looked at again in %v", time.Since(begin))
	assert.Equal(t, heads, s.Stats().Heads, "files that have not changed are not opened")
	assert.EqualValues(t, 1, s.Generation())
}
