package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const headerLine = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}` + "\n"

// message returns the line of a user message, a child of the one before it.
func message(i int, text string) string {
	parent := "null"
	if i > 0 {
		parent = fmt.Sprintf(`"%08x"`, i-1)
	}
	return fmt.Sprintf(`{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-01-01T00:00:%02d.%03dZ","message":{"role":"user","content":%q,"timestamp":%d}}`+"\n",
		i, parent, i/1000%60, i%1000, text, 1767225600000+i)
}

// chain returns the lines of n messages in a chain.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(message(i, fmt.Sprintf("text %d", i)))
	}
	return b.String()
}

// writeSessions writes sessions with so many entries each, in 40 directories.
func writeSessions(tb testing.TB, dir string, sessions, entries int) {
	tb.Helper()
	body := chain(entries)
	for i := range sessions {
		project := filepath.Join(dir, fmt.Sprintf("--home-dev-%02d--", i%40))
		require.NoError(tb, os.MkdirAll(project, 0o755))
		header := fmt.Sprintf(`{"type":"session","version":3,"id":"session-%d","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/%02d"}`+"\n", i, i%40)
		require.NoError(tb, os.WriteFile(filepath.Join(project, fmt.Sprintf("2026-01-01T00-00-00-000Z_%06d.jsonl", i)), []byte(header+body), 0o644))
	}
}

// open opens a store that is read as it is.
func open(tb testing.TB, dirs ...string) *Store {
	tb.Helper()
	s, err := Open(context.Background(), dirs, Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { s.Close() })
	return s
}

// remembering opens a store that remembers, in a file, and that the caller closes.
func remembering(tb testing.TB, dir, memory string) *Store {
	tb.Helper()
	s, err := Open(context.Background(), []string{dir}, Options{Memory: memory})
	require.NoError(tb, err)
	return s
}

// one writes a session file and opens a store that has only that.
func one(tb testing.TB, text string) (s *Store, x *Session) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "a.jsonl")
	write(tb, path, text)
	s = open(tb, filepath.Dir(path))
	return s, only(tb, s)
}

func only(tb testing.TB, s *Store) *Session {
	tb.Helper()
	require.Len(tb, s.Sessions(), 1)
	return s.Sessions()[0]
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
}

// add appends to a file as pi does.
func add(tb testing.TB, path, text string) {
	tb.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(tb, err)
	_, err = f.WriteString(text)
	require.NoError(tb, err)
	require.NoError(tb, f.Close())
}

// rest makes a file look as if nobody had written to it for a while.
func rest(tb testing.TB, path string) {
	tb.Helper()
	long := time.Now().Add(-time.Hour)
	require.NoError(tb, os.Chtimes(path, long, long))
}

func view(tb testing.TB, x *Session) *View {
	tb.Helper()
	v, err := x.View()
	require.NoError(tb, err)
	return v
}

func refresh(tb testing.TB, x *Session) *View {
	tb.Helper()
	v, err := x.Refresh()
	require.NoError(tb, err)
	return v
}

// describe says all that a view tells, bodies included.
func describe(tb testing.TB, v *View) string {
	tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%d bytes, %+v, leaf %d\n", v.Size, v.Summary, v.Tree.Leaf())
	for i := range v.Tree.Len() {
		e, err := v.Entry(i)
		require.NoError(tb, err)
		fmt.Fprintf(&b, "%d %s ^%d %s\n", v.Tree.Line(i), v.Tree.ID(i), v.Tree.Parent(i), e.Raw)
	}
	for _, d := range v.Damaged {
		text, err := v.DamagedLine(d)
		require.NoError(tb, err)
		fmt.Fprintf(&b, "%+v %q\n", d, text)
	}
	fmt.Fprintln(&b, v.Notes())
	return b.String()
}

// goroutineCount counts the goroutines that are in this package.
func goroutineCount() int {
	buf := make([]byte, 1<<20)
	stacks := string(buf[:runtime.Stack(buf, true)])
	n := 0
	for _, stack := range strings.Split(stacks, "\n\n") {
		if strings.Contains(stack, "pifs/store.") || strings.Contains(stack, "fsnotify.") {
			n++
		}
	}
	return n
}
