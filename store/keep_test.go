package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keeping opens a store that keeps indexes.
func keeping(tb testing.TB, dir, memory string) *Store {
	tb.Helper()
	s := remembering(tb, dir, memory)
	tb.Cleanup(func() { s.Close() })
	return s
}

func memoryIn(tb testing.TB) string { return filepath.Join(tb.TempDir(), "sessions.json") }

// described scans a store and says all that its views tell, by path.
func described(tb testing.TB, s *Store) map[string]string {
	tb.Helper()
	all := make(map[string]string)
	require.NoError(tb, s.ScanAll(tb.Context(), 2, func(x *Session, v *View, err error) {
		require.NoError(tb, err)
		all[x.Rel] = fmt.Sprintf("%+v %d %v\n", v.Header, v.Version, v.Tree.Revision()) + describe(tb, v)
	}))
	return all
}

// writeTexts writes all texts that are sessions, each cut where that is wanted. Whole
// ones are at rest, and others are being written.
func writeTexts(tb testing.TB, dir string, cut func(n int) int) {
	tb.Helper()
	for name, text := range sessionTexts(tb) {
		if headOf(text) != nil {
			path := filepath.Join(dir, name+suffix)
			n := cut(len(text))
			write(tb, path, string(text[:n]))
			if n == len(text) {
				rest(tb, path)
			}
		}
	}
}

func all(n int) int { return n }

// TestKept restores all kinds of sessions without reading their files.
func TestKept(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	writeTexts(t, dir, all)
	time.Sleep(tooFresh + 100*time.Millisecond)
	want := described(t, open(t, dir))
	files := openFileCount(t)

	first := keeping(t, dir, memory)
	assert.Equal(t, want, described(t, first))
	assert.Zero(t, first.Stats().Restored)
	require.NoError(t, first.Close())
	assert.Equal(t, files, openFileCount(t))

	second := keeping(t, dir, memory)
	require.NoError(t, second.ScanAll(t.Context(), 2, nil))
	st := second.Stats()
	assert.EqualValues(t, len(want), st.Restored)
	assert.Equal(t, len(want), st.Scanned)
	assert.Zero(t, st.Scans)
	assert.Zero(t, st.ScanBytes)
	assert.Zero(t, st.Compared)
	assert.Zero(t, st.OpenFiles)
	assert.Equal(t, want, described(t, second))

	// And what grows goes on as if it had been scanned.
	plain := open(t, dir)
	described(t, plain)
	for _, more := range []string{message(700, "more"), "\n" + message(701, "again") + "torn", "\n" + message(0, "an id that is there")} {
		for _, x := range second.Sessions() {
			add(t, x.Path, more)
			rest(t, x.Path)
			scanned := plain.at(x.Path)
			want, wantErr := scanned.Refresh()
			got, err := x.Refresh()
			require.Equal(t, wantErr, err, x.Rel)
			if err == nil {
				require.Equal(t, describe(t, want), describe(t, got), x.Rel)
			}
		}
	}
}

// at returns the session at a path.
func (s *Store) at(path string) *Session {
	for _, x := range s.Sessions() {
		if x.Path == path {
			return x
		}
	}
	return nil
}

// TestKeptGrows has files grow between two processes: the second reads what is new.
// TestKeptInAnotherZone scans, where times without a zone are local ones, in one zone
// after the other.
func TestKeptInAnotherZone(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	write(t, filepath.Join(dir, "a.jsonl"), headerLine+strings.ReplaceAll(chain(10), `Z"`, `"`))
	time.Sleep(tooFresh)
	local := time.Local
	defer func() { time.Local = local }()
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("east", 9*3600), time.UTC} {
		time.Local = zone
		s, fresh := remembering(t, dir, memory), open(t, dir)
		got, err := only(t, s).Digest()
		require.NoError(t, err)
		want, err := only(t, fresh).Digest()
		require.NoError(t, err)
		assert.Equal(t, want.Summary, got.Summary, "in %v", zone)
		assert.Equal(t, described(t, fresh), described(t, s), "in %v", zone)
		require.NoError(t, s.Close())
	}
}

// TestShelfIsNoLink holds that nothing is written where a link in the place of the shelf
// leads, and that what is no file is not waited for.
func TestShelfIsNoLink(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	write(t, filepath.Join(dir, "a.jsonl"), headerLine+chain(10))
	require.NoError(t, os.Symlink(dir, filepath.Join(filepath.Dir(memory), "index")))
	require.NoError(t, syscall.Mkfifo(memory, 0o600))
	s := remembering(t, dir, memory)
	_, err := only(t, s).Digest()
	require.NoError(t, err)
	view(t, only(t, s))
	require.NoError(t, s.Close())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

// TestKeptAnchor has a running store take in an entry that was appended together with a
// change among those before, which it does not see. The next process must.
func TestKeptAnchor(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	text := headerLine + chain(200)
	write(t, path, text)
	first := remembering(t, dir, memory)
	x := only(t, first)
	view(t, x)
	changed := strings.Replace(text, fmt.Sprintf("%08x", 100), "0000abcd", 2)
	require.NotEqual(t, text, changed)
	write(t, path, changed+message(200, "more"))
	time.Sleep(tooFresh + 100*time.Millisecond)
	v, err := x.Refresh()
	require.NoError(t, err)
	require.Equal(t, 201, v.Tree.Len())
	require.NoError(t, first.Close())
	second := remembering(t, dir, memory)
	assert.Equal(t, described(t, open(t, dir)), described(t, second))
	require.NoError(t, second.Close())
}

func TestKeptGrows(t *testing.T) {
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		dir, memory := t.TempDir(), memoryIn(t)
		for range 2 {
			writeTexts(t, dir, func(n int) int { return rnd.IntN(n) })
			first := keeping(t, dir, memory)
			described(t, first)
			require.NoError(t, first.Close())
		}
		writeTexts(t, dir, all)
		second := keeping(t, dir, memory)
		assert.Equal(t, described(t, open(t, dir)), described(t, second))
		assert.Greater(t, second.Stats().Restored, int64(20))
	}

	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	text, more := headerLine+chain(1000), message(1000, "more")
	write(t, path, text)
	first := remembering(t, dir, memory)
	view(t, only(t, first))
	require.NoError(t, first.Close())
	add(t, path, more)
	second := remembering(t, dir, memory)
	assert.Equal(t, 1001, view(t, only(t, second)).Tree.Len())
	st := second.Stats()
	assert.EqualValues(t, 1, st.Restored)
	assert.EqualValues(t, len(more), st.ScanBytes)
	assert.LessOrEqual(t, st.Compared, int64(len(text)+headBytes+anchorBytes))
	require.NoError(t, second.Close())
}

// TestKeptAtClose keeps the last state of a session that has grown.
func TestKeptAtClose(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, headerLine+chain(1000))
	first := remembering(t, dir, memory)
	view(t, only(t, first))
	kept := keptOnDisk(t, memory)
	for i := range 10 {
		add(t, path, message(1000+i, "more"))
		refresh(t, only(t, first))
	}
	assert.Equal(t, kept, keptOnDisk(t, memory), "growth writes nothing")
	require.NoError(t, first.Close())
	second := remembering(t, dir, memory)
	assert.Equal(t, 1010, view(t, only(t, second)).Tree.Len())
	assert.Zero(t, second.Stats().ScanBytes)
	require.NoError(t, second.Close())
}

// TestNotKept changes a file so that what was kept of it is no longer true.
func TestNotKept(t *testing.T) {
	text := headerLine + chain(1000)
	for name, change := range map[string]func(t *testing.T, path string){
		"rewritten with the same size and mtime": func(t *testing.T, path string) {
			before, err := os.Stat(path)
			require.NoError(t, err)
			write(t, path, strings.Replace(text, "text 500", "TEXT 500", 1))
			require.NoError(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
		},
		"rewritten and longer": func(t *testing.T, path string) {
			write(t, path, strings.Replace(text, "text 500", "TEXT 500", 1)+message(1000, "more"))
		},
		"another header": func(t *testing.T, path string) {
			write(t, path, strings.Replace(text, `"cwd":"/w"`, `"cwd":"/v"`, 1))
		},
		"truncated": func(t *testing.T, path string) {
			require.NoError(t, os.Truncate(path, int64(len(headerLine+chain(900)))))
		},
		"replaced": func(t *testing.T, path string) {
			write(t, path+".new", headerLine+chain(990)+message(990, "other"))
			require.NoError(t, os.Rename(path+".new", path))
		},
		"an id that is used again": func(t *testing.T, path string) {
			add(t, path, message(500, "again"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			dir, memory := t.TempDir(), memoryIn(t)
			path := filepath.Join(dir, "a.jsonl")
			write(t, path, text)
			time.Sleep(tooFresh + 100*time.Millisecond)
			first := remembering(t, dir, memory)
			v := view(t, only(t, first))
			only(t, first).Keep("lengths", v, []byte("1000"))
			require.NoError(t, first.Close())
			change(t, path)
			second := remembering(t, dir, memory)
			x := only(t, second)
			assert.Equal(t, describe(t, view(t, only(t, open(t, dir)))), describe(t, view(t, x)))
			assert.Zero(t, second.Stats().Restored)
			assert.GreaterOrEqual(t, second.Stats().ScanBytes, x.Stat().Size)
			_, ok := x.Recall("lengths", view(t, x))
			assert.False(t, ok)
			require.NoError(t, second.Close())

			third := remembering(t, dir, memory)
			view(t, only(t, third))
			assert.EqualValues(t, 1, third.Stats().Restored, "what is true now is kept")
			require.NoError(t, third.Close())
		})
	}
}

// TestKeptTornTail completes a line that counted as damaged when it was kept.
func TestKeptTornTail(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	line := message(3, "text")
	write(t, path, headerLine+chain(3)+line[:40])
	rest(t, path)
	first := keeping(t, dir, memory)
	require.Len(t, view(t, only(t, first)).Damaged, 1)
	require.NoError(t, first.Close())
	for _, more := range []string{line[40:], message(4, "next")} {
		add(t, path, more)
		next := keeping(t, dir, memory)
		assert.Equal(t, described(t, open(t, dir)), described(t, next))
		require.NoError(t, next.Close())
	}
}

// TestNothingIsKept where that is not wanted, or not possible.
func TestNothingIsKept(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), headerLine+chain(1000))
	blocked := memoryIn(t)
	write(t, filepath.Join(filepath.Dir(blocked), "index"), "a file where a directory should be")
	for _, memory := range []string{"", blocked, "/proc/self/no/sessions.json"} {
		s := remembering(t, dir, memory)
		described(t, s)
		x := only(t, s)
		x.Keep("lengths", view(t, x), []byte("1"))
		_, ok := x.Recall("lengths", view(t, x))
		assert.False(t, ok)
		require.NoError(t, s.Close())
		x.Keep("lengths", view(t, x), []byte("1"))
	}
}

// segmentsOf returns the files that are kept beside a memory.
func segmentsOf(tb testing.TB, memory string) (paths []string) {
	tb.Helper()
	index := filepath.Join(filepath.Dir(memory), "index")
	files, err := os.ReadDir(index)
	require.NoError(tb, err)
	for _, file := range files {
		paths = append(paths, filepath.Join(index, file.Name()))
	}
	return paths
}

// restoredBy scans a store that remembers and returns how many views were restored.
func restoredBy(tb testing.TB, dir, memory string) int64 {
	tb.Helper()
	s := keeping(tb, dir, memory)
	described(tb, s)
	require.NoError(tb, s.Close())
	return s.Stats().Restored
}

// TestShelfIsTidied looks at what is on disk while sessions come, grow and go.
func TestShelfIsTidied(t *testing.T) {
	dir, other, memory := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "new", "sessions.json")
	a, b, c := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl"), filepath.Join(other, "c.jsonl")
	for _, path := range []string{a, b, c} {
		write(t, path, headerLine+chain(1000))
	}
	assert.Zero(t, restoredBy(t, dir, memory))
	assert.Zero(t, restoredBy(t, other, memory))
	assert.EqualValues(t, 2, restoredBy(t, dir, memory))
	info, err := os.Stat(filepath.Dir(segmentsOf(t, memory)[0]))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	for i := range 3 * mostSegments {
		add(t, a, message(1000+i, "more"))
		assert.EqualValues(t, 2, restoredBy(t, dir, memory))
		assert.LessOrEqual(t, len(segmentsOf(t, memory)), mostSegments)
		assert.Less(t, keptOnDisk(t, memory), int64(2*4*1000*26), "at most half is old")
	}
	assert.EqualValues(t, 1, restoredBy(t, other, memory), "what is of another store stays")

	require.NoError(t, os.Remove(b))
	add(t, a, message(2000, "more"))
	restoredBy(t, dir, memory)
	for _, segment := range segmentsOf(t, memory) {
		text, err := os.ReadFile(segment)
		require.NoError(t, err)
		assert.NotContains(t, string(text), b, "what is of a file that is gone is removed")
		info, err := os.Stat(segment)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	assert.EqualValues(t, 1, restoredBy(t, other, memory))
}

// TestShelfInUse leaves the segments alone that other processes append to.
func TestShelfInUse(t *testing.T) {
	dir, other, memory := t.TempDir(), t.TempDir(), memoryIn(t)
	write(t, filepath.Join(dir, "a.jsonl"), headerLine+chain(1000))
	write(t, filepath.Join(other, "b.jsonl"), headerLine+chain(1000))
	living := keeping(t, dir, memory)
	described(t, living)
	mine := segmentsOf(t, memory)
	require.Len(t, mine, 1)
	assert.EqualValues(t, 1, restoredBy(t, dir, memory), "what was scanned with others is there already")
	for i := range 2 * mostSegments {
		add(t, filepath.Join(other, "b.jsonl"), message(1000+i, "more"))
		restoredBy(t, other, memory)
	}
	assert.Contains(t, segmentsOf(t, memory), mine[0])
	require.NoError(t, living.Close())
	assert.EqualValues(t, 1, restoredBy(t, dir, memory))
}

// TestShelfOfOtherBytes cuts and changes what is kept.
func TestShelfOfOtherBytes(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, headerLine+chain(3))
	first := keeping(t, dir, memory)
	want := described(t, first)
	require.NoError(t, first.Close())
	segment := segmentsOf(t, memory)[0]
	kept, err := os.ReadFile(segment)
	require.NoError(t, err)
	restored := func(text []byte) int64 {
		for _, segment := range segmentsOf(t, memory) {
			require.NoError(t, os.Remove(segment))
		}
		require.NoError(t, os.WriteFile(segment, text, 0o600))
		s := keeping(t, dir, memory)
		require.Equal(t, want, described(t, s))
		require.NoError(t, s.Close())
		return s.Stats().Restored
	}
	for n := range kept {
		require.Zero(t, restored(kept[:n]))
		other := append([]byte(nil), kept...)
		other[n] ^= 1
		require.Zero(t, restored(other), "byte %d", n)
	}
	require.EqualValues(t, 1, restored(kept))
	require.EqualValues(t, 1, restored(append(kept, recordMagic...)), "what was torn at the end is left out")
}

// TestKeep keeps something beside an index while the session grows, over processes.
func TestKeep(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, headerLine+chain(1000))
	recall := func(x *Session, v *View) string {
		data, ok := x.Recall("lengths", v)
		assert.Equal(t, data != nil, ok)
		return string(data)
	}

	first := remembering(t, dir, memory)
	x := only(t, first)
	v := view(t, x)
	assert.Empty(t, recall(x, v))
	x.Keep("lengths", v, []byte("of 1000"))
	assert.Equal(t, "of 1000", recall(x, v))
	_, ok := x.Recall("other", v)
	assert.False(t, ok)
	add(t, path, message(1000, "more"))
	assert.Equal(t, "of 1000", recall(x, refresh(t, x)), "the beginning is the same")
	require.NoError(t, first.Close())

	for i := range 3 { // kept with the index of the first, which was not the last of it
		next := remembering(t, dir, memory)
		x = only(t, next)
		assert.Equal(t, "of 1000", recall(x, view(t, x)))
		add(t, path, message(1001+i, "more"))
		v = refresh(t, x)
		assert.Equal(t, "of 1000", recall(x, v))
		require.NoError(t, next.Close())
		assert.EqualValues(t, 1, next.Stats().Restored)
	}

	last := remembering(t, dir, memory)
	x = only(t, last)
	v = view(t, x)
	x.Keep("lengths", v, []byte("of 1004"))
	assert.Equal(t, "of 1004", recall(x, v))
	require.NoError(t, last.Close())
	scanned := only(t, open(t, dir))
	view(t, scanned)
	scanned.store.shelf = newShelf(memory)
	assert.Equal(t, "of 1004", recall(scanned, view(t, scanned)), "a scan finds the same bytes")
}

// TestKeepersAtOnce has stores of several processes keep the same sessions.
func TestKeepersAtOnce(t *testing.T) {
	dir, memory := t.TempDir(), memoryIn(t)
	for i := range 5 {
		write(t, filepath.Join(dir, fmt.Sprint(i, suffix)), headerLine+chain(20+i))
	}
	want := described(t, open(t, dir))
	for range 5 {
		stores := []*Store{keeping(t, dir, memory), keeping(t, dir, memory), keeping(t, dir, memory)}
		done := make(chan map[string]string)
		for _, s := range stores {
			go func() {
				for _, x := range s.Sessions() {
					if v, err := x.View(); assert.NoError(t, err) {
						x.Keep("lengths", v, []byte("1"))
					}
				}
				views := described(t, s)
				s.Close()
				done <- views
			}()
		}
		for range stores {
			assert.Equal(t, want, <-done)
		}
	}
}
