package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWatchAppends(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		told := listen(t, s)
		path := filepath.Join(dir, "p", "a.jsonl")
		write(t, path, headerLine)
		x := holds(t, s, 0)
		before := s.Stats()
		written := 0
		for i := range 20 {
			text := message(i, "text")
			written += len(text)
			add(t, path, text)
			assert.Same(t, x, holds(t, s, i+1))
		}
		assert.EqualValues(t, written, s.Stats().ScanBytes-before.ScanBytes, "an append costs its own bytes")
		soon(t, func() bool { return told.counted(Grown) == 20 })
		assert.Equal(t, 1, told.counted(Added))
	})
}

// TestWatchUnscanned holds that of sessions nobody has looked at only the facts are
// followed.
func TestWatchUnscanned(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		told := listen(t, s)
		path := filepath.Join(dir, "a.jsonl")
		write(t, path, headerLine)
		shows(t, s, "a.jsonl")
		x := only(t, s)
		add(t, path, chain(10))
		soon(t, func() bool { return x.Stat().Size == int64(len(headerLine+chain(10))) })
		soon(t, func() bool { return told.counted(Grown) > 0 })
		assert.Zero(t, s.Stats().Scans)
		require.NoError(t, os.Chmod(path, 0o600))
		soon(t, func() bool { return x.Stat().Mode == 0o600 })
		assert.Same(t, x, only(t, s))
	})
}

func TestWatchComesAndGoes(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		told := listen(t, s)
		at := func(rel string) string { return filepath.Join(dir, rel) }

		write(t, at("p/a.jsonl"), "")
		soon(t, func() bool { return len(s.Skipped()) == 1 })
		for i := range headerLine { // a header that comes byte by byte
			if i%10 == 0 {
				time.Sleep(time.Millisecond)
			}
			add(t, at("p/a.jsonl"), headerLine[i:i+1])
		}
		shows(t, s, "p/a.jsonl")
		assert.Empty(t, s.Skipped())

		write(t, at("deep/er/and/deeper/b.jsonl"), headerLine)
		shows(t, s, "deep/er/and/deeper/b.jsonl", "p/a.jsonl")

		require.NoError(t, os.Rename(at("deep/er"), at("q")))
		shows(t, s, "p/a.jsonl", "q/and/deeper/b.jsonl")
		write(t, at("q/and/deeper/c.jsonl"), headerLine)
		shows(t, s, "p/a.jsonl", "q/and/deeper/b.jsonl", "q/and/deeper/c.jsonl")

		require.NoError(t, os.RemoveAll(at("q")))
		shows(t, s, "p/a.jsonl")
		write(t, at("q/and/deeper/c.jsonl"), headerLine) // the same path, and often the same inodes
		shows(t, s, "p/a.jsonl", "q/and/deeper/c.jsonl")
		write(t, at("q/and/d.jsonl"), headerLine)
		shows(t, s, "p/a.jsonl", "q/and/d.jsonl", "q/and/deeper/c.jsonl")

		require.NoError(t, os.Rename(at("p/a.jsonl"), at("p/a.jsonl.deleted.1")))
		shows(t, s, "q/and/d.jsonl", "q/and/deeper/c.jsonl")
		require.NoError(t, os.Rename(at("p/a.jsonl.deleted.1"), at("p/z.jsonl")))
		shows(t, s, "p/z.jsonl", "q/and/d.jsonl", "q/and/deeper/c.jsonl")

		require.NoError(t, os.RemoveAll(at("q")))
		require.NoError(t, os.RemoveAll(at("p")))
		shows(t, s)
		soon(t, func() bool { return told.counted(Added) == told.counted(Removed) })
	})
}

func TestWatchLinks(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		elsewhere, other := t.TempDir(), t.TempDir()
		write(t, elsewhere+"/a.jsonl", headerLine)
		write(t, other+"/b.jsonl", headerLine)
		require.NoError(t, os.Symlink(elsewhere, dir+"/link"))
		shows(t, s, "link/a.jsonl")
		view(t, only(t, s))
		add(t, elsewhere+"/a.jsonl", message(0, "text"))
		holds(t, s, 1)
		write(t, elsewhere+"/new.jsonl", headerLine)
		shows(t, s, "link/a.jsonl", "link/new.jsonl")

		require.NoError(t, os.Symlink(other, dir+"/new-link"))
		require.NoError(t, os.Rename(dir+"/new-link", dir+"/link"))
		shows(t, s, "link/b.jsonl")
		write(t, elsewhere+"/unseen.jsonl", headerLine)
		require.NoError(t, os.Symlink(elsewhere+"/a.jsonl", dir+"/file.jsonl"))
		shows(t, s, "file.jsonl", "link/b.jsonl")
		x := s.Sessions()[0]
		view(t, x)
		add(t, elsewhere+"/a.jsonl", message(1, "text"))
		soon(t, func() bool { return view(t, x).Tree.Len() == 2 })

		require.NoError(t, os.Remove(dir+"/link"))
		shows(t, s, "file.jsonl")
	})
}

// TestWatchRewrite rewrites a session as pi does when it migrates: it is emptied and
// written again. The pieces end within lines, so that a slow machine does not make
// one of them look like all.
func TestWatchRewrite(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		told := listen(t, s)
		path := filepath.Join(dir, "a.jsonl")
		old := strings.Replace(headerLine, `"version":3`, `"version":2`, 1) + chain(50)
		write(t, path, old)
		x := holds(t, s, 50)

		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		require.NoError(t, err)
		for text := headerLine + chain(50); text != ""; {
			piece := text[:min(len(text), len(message(0, "text 0"))*2)]
			text = text[len(piece):]
			_, err := f.WriteString(piece)
			require.NoError(t, err)
			if text == "" {
				break
			}
			v, err := x.View()
			require.NoError(t, err, "it keeps its last good view")
			require.Equal(t, 50, v.Tree.Len())
			time.Sleep(4 * time.Millisecond)
		}
		require.NoError(t, f.Close())
		soon(t, func() bool { return len(s.Sessions()) == 1 && s.Sessions()[0] != x })
		now := holds(t, s, 50)
		assert.Equal(t, 3, view(t, now).Version)
		_, err = x.View()
		assert.ErrorIs(t, err, ErrReplaced)
		soon(t, func() bool { return told.counted(Removed) == 1 && told.counted(Added) == 2 })

		// A file that stays empty is no session any more after a while.
		require.NoError(t, os.Truncate(path, 0))
		emptied := time.Now()
		soon(t, func() bool { return len(s.Sessions()) == 0 })
		assert.Greater(t, time.Since(emptied), rewriteWithin/2)
	})
}

func TestWatchTornTail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, headerLine)
	s := watch(t, dir, watchModes["told"])
	x := holds(t, s, 0)
	add(t, path, `{"type":"mess`)
	time.Sleep(100 * time.Millisecond)
	assert.Empty(t, view(t, x).Damaged, "it may still be being written")
	soon(t, func() bool { return len(view(t, x).Damaged) == 1 })
	assert.Equal(t, "torn-tail", view(t, x).Damaged[0].Code)
	add(t, path, "\n"+message(0, "text"))
	assert.Same(t, x, holds(t, s, 1))
	assert.Len(t, view(t, x).Damaged, 1)
}

// TestWatchSameSize changes a file in place without changing its size.
func TestWatchSameSize(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		path := filepath.Join(dir, "a.jsonl")
		write(t, path, headerLine+chain(100))
		x := holds(t, s, 100)
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		require.NoError(t, err)
		at := strings.Index(headerLine+chain(100), "text 50")
		_, err = f.WriteAt([]byte("TEXT"), int64(at))
		require.NoError(t, err)
		require.NoError(t, f.Close())
		soon(t, func() bool { return len(s.Sessions()) == 1 && s.Sessions()[0] != x })
		e, err := view(t, only(t, s)).Entry(50)
		require.NoError(t, err)
		assert.Contains(t, string(e.Raw), "TEXT 50")
	})
}

// TestWatchEverything holds that what no event tells of is found now and then.
// TestWatchRoot moves the store's directory away and back, of which the kernel tells
// nobody: the directory that it is in is not watched.
func TestWatchRoot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	write(t, dir+"/a.jsonl", headerLine)
	o := Options{Watch: true, pace: pace{gather: time.Millisecond, poll: 20 * time.Millisecond, everything: time.Hour}}
	s := watch(t, dir, o)
	for range 2 {
		require.NoError(t, os.Rename(dir, dir+".away"))
		shows(t, s)
		require.NoError(t, os.Rename(dir+".away", dir))
		shows(t, s, "a.jsonl")
	}
	write(t, dir+"/b.jsonl", headerLine)
	shows(t, s, "a.jsonl", "b.jsonl")
}

func TestWatchEverything(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "store")
	write(t, dir+"/a.jsonl", headerLine)
	o := Options{Watch: true, pace: pace{gather: time.Millisecond, poll: time.Hour, everything: 100 * time.Millisecond}}
	s := watch(t, dir, o)
	require.NoError(t, os.Rename(dir, dir+".away"))
	shows(t, s)
	write(t, dir+"/b.jsonl", headerLine)
	shows(t, s, "b.jsonl")
	write(t, dir+"/c.jsonl", headerLine)
	shows(t, s, "b.jsonl", "c.jsonl")
}

// TestWatchLostEvents holds that a store looks at everything when the kernel's queue
// has overflown.
func TestWatchLostEvents(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/a.jsonl", headerLine)
	s := watch(t, dir, Options{Watch: true, unheard: true, pace: pace{gather: time.Millisecond, poll: time.Hour, everything: time.Hour}})
	holds(t, s, 0)
	add(t, dir+"/a.jsonl", message(0, "text"))
	write(t, dir+"/b/b.jsonl", headerLine)
	s.watcher.add(func(n *news) { n.unknown = true })
	shows(t, s, "a.jsonl", "b/b.jsonl")
	soon(t, func() bool { return view(t, s.Sessions()[0]).Tree.Len() == 1 })
}

// TestWatchIsQuick measures how long an append takes to be seen.
func TestWatchIsQuick(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/a.jsonl", headerLine)
	s := watch(t, dir, Options{Watch: true})
	x := holds(t, s, 0)
	var longest, sum time.Duration
	const n = 50
	for i := range n {
		text := message(i, "text")
		begin := time.Now()
		add(t, x.Path, text)
		for view(t, x).Tree.Len() <= i {
			require.Less(t, time.Since(begin), patience)
			time.Sleep(100 * time.Microsecond)
		}
		took := time.Since(begin)
		sum += took
		longest = max(longest, took)
	}
	t.Logf("an append is seen after %v on average, %v at most", sum/n, longest)
	assert.Less(t, sum/n, 100*time.Millisecond)
}

func TestNothingLeaks(t *testing.T) {
	dir := t.TempDir()
	writeSessions(t, dir, 200, 3)
	goroutines, files := goroutineCount(), openFileCount(t)
	for range 3 {
		s, err := Open(context.Background(), []string{dir}, Options{Watch: true})
		require.NoError(t, err)
		s.Subscribe(func(Change) {})
		require.NoError(t, s.ScanAll(context.Background(), 2, func(x *Session, v *View, err error) {
			require.NoError(t, err)
			_, err = v.Entry(0)
			require.NoError(t, err)
		}))
		st := s.Stats()
		assert.Equal(t, 200, st.Scanned)
		assert.Equal(t, openFiles, st.OpenFiles)
		require.NoError(t, s.Close())
	}
	assert.Equal(t, goroutines, goroutineCount())
	assert.Equal(t, files, openFileCount(t))
}
