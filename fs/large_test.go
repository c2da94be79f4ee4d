package fs

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// within fails a test whose work takes so long that something must be quadratic.
// The machine may be busy, so there is room.
func within(t *testing.T, most time.Duration, what string, work func()) {
	t.Helper()
	begin := time.Now()
	work()
	took := time.Since(begin)
	t.Logf("%s: %v", what, took)
	if !needs.Race {
		assert.Less(t, took, most, what)
	}
}

// readAll reads a file in the pieces in which a kernel does.
func readAll(t testing.TB, n Node) (sizeBytes int64) {
	t.Helper()
	f := n.(File)
	size, err := f.Size()
	require.NoError(t, err)
	got, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{io.NewSectionReader(f, 0, 1<<40)}, make([]byte, 128<<10))
	require.NoError(t, err)
	require.Equal(t, size, got)
	return size
}

func lookup(t testing.TB, d Dir, name string) Node {
	t.Helper()
	n, err := d.Lookup(name)
	require.NoError(t, err, name)
	return n
}

// writeMany writes a session whose entries are user messages; parent tells whose
// child the i-th is, -1 for none.
func writeMany(t testing.TB, path string, n int, parent func(i int) int) {
	t.Helper()
	writeSession(t, path, "many", "/p", "")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	for i := range n {
		from := "null"
		if p := parent(i); p >= 0 {
			from = fmt.Sprintf(`"%08x"`, p)
		}
		fmt.Fprintf(w, `{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"message %d"}}`+"\n", i, from, i)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

func TestLongChain(t *testing.T) {
	const n = 100_000
	dir := t.TempDir()
	writeMany(t, filepath.Join(dir, "s.jsonl"), n, func(i int) int { return i - 1 })
	tr := newTree(t, Options{}, dir)
	d := dirAt(t, tr, "p/s")
	leaf := fmt.Sprintf("%08x", n-1)
	within(t, 5*time.Second, "branches", func() { assert.Equal(t, []string{leaf}, names(t, dirAt(t, tr, "p/s/branches"))) })
	within(t, 20*time.Second, "context.md", func() {
		assert.Greater(t, readAll(t, lookup(t, dirAt(t, tr, "p/s/current"), nameContext)), int64(n*50))
	})
	within(t, 20*time.Second, "context.json", func() { readAll(t, lookup(t, dirAt(t, tr, "p/s/current"), nameContextJSON)) })
	within(t, 20*time.Second, "transcript.md", func() { readAll(t, lookup(t, d, nameTranscript)) })
	within(t, 20*time.Second, "tree.txt", func() { readAll(t, lookup(t, d, nameTree)) })
	within(t, 20*time.Second, "info.json", func() { readAll(t, lookup(t, d, nameInfo)) })
	within(t, 20*time.Second, "path", func() {
		path := dirAt(t, tr, "p/s/current/path")
		list, err := path.Entries()
		require.NoError(t, err)
		require.Len(t, list, n)
		for i := 0; i < n; i += 100 {
			assert.Equal(t, list[i].Node, lookup(t, path, list[i].Name))
		}
		assert.Equal(t, "000001-user-00000000.md", list[0].Name)
	})
	within(t, 20*time.Second, "contexts in the middle", func() {
		for i := 0; i < n; i += n / 20 {
			readAll(t, lookup(t, dirAt(t, tr, fmt.Sprintf("p/s/branches/%08x", i)), nameContext))
		}
	})
}

func TestManyBranches(t *testing.T) {
	const trunk, n = 200, 5_000
	dir := t.TempDir()
	writeMany(t, filepath.Join(dir, "s.jsonl"), trunk+n, func(i int) int { return min(i, trunk) - 1 })
	tr := newTree(t, Options{}, dir)
	branches := dirAt(t, tr, "p/s/branches")
	var one, all time.Duration
	list := names(t, branches)
	require.Len(t, list, n)
	begin := time.Now()
	first, err := lookup(t, dirAt(t, tr, "p/s/branches/"+list[0]), nameContext).(File).Size()
	one = time.Since(begin)
	require.NoError(t, err)
	begin = time.Now()
	for _, name := range list {
		size, err := lookup(t, lookup(t, branches, name).(Dir), nameContext).(File).Size()
		require.NoError(t, err)
		assert.InDelta(t, first, size, 50)
	}
	all = time.Since(begin)
	t.Logf("one %v, all %d: %v", one, n, all)
	assert.Equal(t, int64(trunk+n), tr.stats.renders.Load(), "each entry is rendered once for all branches")
	within(t, 20*time.Second, "tree.txt", func() { readAll(t, lookup(t, dirAt(t, tr, "p/s"), nameTree)) })
}

func TestLongLine(t *testing.T) {
	if needs.Race {
		return
	}
	const n = 100 << 20
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "1", "/p", "", userLine("a", "", strings.Repeat(`word "quoted" and `, n/18)), userLine("b", "a", "short"))
	tr := newTree(t, Options{}, dir)
	within(t, 10*time.Second, "listing", func() {
		assert.Equal(t, []string{"a.json", "a.md", "b.json", "b.md"}, names(t, dirAt(t, tr, "p/s/entries")))
		assert.Len(t, names(t, dirAt(t, tr, "p/by-title")), 1)
	})
	for _, name := range []string{"entries/a.md", "entries/a.json", "transcript.md", "current/context.md", "current/context.json", "tree.txt", "info.json"} {
		within(t, 20*time.Second, name, func() {
			n, _, err := ioFS{tr}.walk("p/s/"+name, true)
			require.NoError(t, err)
			readAll(t, n)
		})
	}
	held, _, _ := tr.cache.Stats()
	assert.Less(t, held, int64(64<<20+3*n), "one large value is kept beside the budget")
}

func TestManySessions(t *testing.T) {
	const n = 10_000
	dir := t.TempDir()
	for i := range n {
		writeSession(t, filepath.Join(dir, fmt.Sprintf("--p%d--/s%05d.jsonl", i%100, i)), fmt.Sprint(i), fmt.Sprintf("/p%d", i%100), "", userLine("a", "", fmt.Sprint("question ", i)))
	}
	var tr *Tree
	within(t, 5*time.Second, "opening", func() { tr = newTree(t, Options{}, dir) })
	within(t, 5*time.Second, "projects", func() { assert.Len(t, names(t, tr.Root()), 100) })
	within(t, 10*time.Second, "titles", func() {
		for i := range 100 {
			assert.Len(t, names(t, dirAt(t, tr, fmt.Sprintf("p%d/by-title", i))), 100)
		}
	})
	fds, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	assert.Less(t, len(fds), 200, "open files")
}
