package store

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGrowthReadsWhatWasAppended counts the bytes.
func TestGrowthReadsWhatWasAppended(t *testing.T) {
	s, x := one(t, headerLine+chain(1000))
	first := view(t, x)
	before := s.Stats()
	assert.Equal(t, x.Stat().Size, before.ScanBytes)

	more := message(1000, "more") + message(1001, "and more")
	add(t, x.Path, more)
	assert.Same(t, first, view(t, x), "an unwatched store does not look by itself")
	grown := refresh(t, x)
	after := s.Stats()
	assert.EqualValues(t, len(more), after.ScanBytes-before.ScanBytes)
	assert.LessOrEqual(t, after.Compared-before.Compared, int64(headBytes+anchorBytes))
	assert.Equal(t, 1002, grown.Tree.Len())
	assert.Equal(t, 1000, first.Tree.Len(), "a view never changes")
	assert.Equal(t, 1000, first.Summary.MessageCount)
	assert.Equal(t, x.Stat().Size, grown.Size)
	assert.Same(t, grown, refresh(t, x))
	assert.Equal(t, after, s.Stats(), "a look at an unchanged file reads nothing")

	for _, v := range []*View{first, grown} {
		e, err := v.Entry(v.Tree.Len() - 1)
		require.NoError(t, err)
		assert.Equal(t, v.Tree.ID(v.Tree.Len()-1), e.ID.Text())
	}
}

// TestGrowthInPieces appends random pieces of a file and holds each view against
// that of another store that scans the whole.
func TestGrowthInPieces(t *testing.T) {
	text := headerLine + chain(20) + "broken\n" + message(20, "a\r") + "\n\n" + message(21, strings.Repeat("long ", 10_000)) + message(22, "end")
	for seed := range int64(20) {
		rnd := rand.New(rand.NewSource(seed))
		n := len(headerLine)
		s, x := one(t, text[:n])
		for n < len(text) {
			view(t, x)
			end := min(len(text), n+1+rnd.Intn(2000))
			add(t, x.Path, text[n:end])
			n = end
			v, err := x.Refresh()
			if err != nil {
				require.ErrorIs(t, err, ErrReplaced)
				x = only(t, s)
				v = view(t, x)
			}
			if rnd.Intn(3) > 0 {
				continue
			}
			assert.Equal(t, describe(t, view(t, only(t, open(t, x.Dir)))), describe(t, v))
		}
	}
}

func TestUnfinishedLine(t *testing.T) {
	line := message(0, "text")
	half := len(line) / 2

	t.Run("being written", func(t *testing.T) {
		_, x := one(t, headerLine+line[:half])
		v := view(t, x)
		assert.Zero(t, v.Tree.Len())
		assert.Empty(t, v.Damaged)
		assert.EqualValues(t, len(headerLine), v.Size)
		add(t, x.Path, line[half:])
		v = refresh(t, x)
		assert.Equal(t, 1, v.Tree.Len())
		assert.EqualValues(t, len(headerLine+line), v.Size)
	})
	t.Run("torn", func(t *testing.T) {
		s, x := one(t, headerLine+line[:half])
		view(t, x)
		rest(t, x.Path)
		v := refresh(t, x)
		require.Len(t, v.Damaged, 1)
		assert.Equal(t, "torn-tail", v.Damaged[0].Code)
		text, err := v.DamagedLine(v.Damaged[0])
		require.NoError(t, err)
		assert.Equal(t, line[:half], string(text))
		assert.EqualValues(t, len(headerLine)+half, v.Size)

		add(t, x.Path, "\n"+message(1, "next")) // as pi seals a torn line
		sealed := refresh(t, x)
		assert.Equal(t, v.Damaged, sealed.Damaged)
		assert.Equal(t, 1, sealed.Tree.Len())
		assert.Equal(t, 3, sealed.Tree.Line(0))
		assert.Same(t, x, only(t, s))
	})
	t.Run("torn, and then completed", func(t *testing.T) {
		s, x := one(t, headerLine+line[:half])
		rest(t, x.Path)
		v := view(t, x)
		require.Len(t, v.Damaged, 1)
		add(t, x.Path, line[half:])
		_, err := x.Refresh()
		assert.ErrorIs(t, err, ErrReplaced)
		now := only(t, s)
		assert.NotEqual(t, x.Slot, now.Slot)
		assert.Equal(t, 1, view(t, now).Tree.Len())
		_, err = v.DamagedLine(v.Damaged[0])
		assert.ErrorIs(t, err, ErrReplaced)
	})
	t.Run("whole without newline", func(t *testing.T) {
		s, x := one(t, headerLine+line[:len(line)-1])
		v := view(t, x)
		assert.Equal(t, 1, v.Tree.Len())
		add(t, x.Path, " \r")
		assert.Equal(t, 1, refresh(t, x).Tree.Len())
		add(t, x.Path, "\n")
		assert.Equal(t, 1, refresh(t, x).Tree.Len())
		add(t, x.Path, message(1, "next"))
		assert.Equal(t, 2, refresh(t, x).Tree.Len())
		assert.Same(t, x, only(t, s))
		assert.Equal(t, describe(t, view(t, only(t, open(t, x.Dir)))), describe(t, view(t, x)))
	})
	t.Run("whole without newline, and glued to", func(t *testing.T) {
		s, x := one(t, headerLine+line[:len(line)-1])
		view(t, x)
		add(t, x.Path, message(1, "next"))
		_, err := x.Refresh()
		assert.ErrorIs(t, err, ErrReplaced)
		v := view(t, only(t, s))
		assert.Zero(t, v.Tree.Len())
		assert.Equal(t, "glued", v.Damaged[0].Code)
	})
	t.Run("blank", func(t *testing.T) {
		s, x := one(t, headerLine+"  ")
		rest(t, x.Path)
		v := view(t, x)
		before := s.Stats()
		assert.Same(t, v, refresh(t, x))
		assert.Equal(t, before, s.Stats())
		add(t, x.Path, line)
		assert.Equal(t, 1, refresh(t, x).Tree.Len())
	})
}

func TestReplaced(t *testing.T) {
	text := headerLine + chain(10)
	other := strings.Replace(headerLine, `"s"`, `"t"`, 1) + chain(12)
	cases := map[string]struct {
		change func(t *testing.T, path string)
		after  int // entries of the session that is there then; -1 for none
	}{
		"truncated": {func(t *testing.T, path string) {
			require.NoError(t, os.Truncate(path, int64(len(headerLine+chain(4)))))
		}, 4},
		"emptied":             {func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 0)) }, -1},
		"deleted":             {func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }, -1},
		"written over":        {func(t *testing.T, path string) { write(t, path, other) }, 12},
		"written over longer": {func(t *testing.T, path string) { write(t, path, headerLine+message(0, "other")+chain(20)) }, 21},
		"same length": {func(t *testing.T, path string) {
			write(t, path, strings.Replace(text, "text 5", "TEXT 5", 1))
			rest(t, path)
		}, 10},
		"same length and time": {func(t *testing.T, path string) {
			info, err := os.Stat(path)
			require.NoError(t, err)
			write(t, path, strings.Replace(text, "text 5", "TEXT 5", 1))
			require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, 10},
		"another file": {func(t *testing.T, path string) {
			write(t, path+".new", text+message(10, "new"))
			require.NoError(t, os.Rename(path+".new", path))
		}, 11},
		"a directory": {func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o755))
		}, -1},
	}
	for name, c := range cases {
		for _, scanned := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				s, x := one(t, text)
				rest(t, x.Path)
				s.Rescan()
				var v *View
				if scanned {
					v = view(t, x)
					_, err := v.Entry(3)
					require.NoError(t, err)
				}
				c.change(t, x.Path)
				_, err := x.Refresh()
				if scanned {
					require.ErrorIs(t, err, ErrReplaced)
					_, err = x.View()
					assert.ErrorIs(t, err, ErrReplaced)
					_, err = v.Entry(3)
					assert.ErrorIs(t, err, ErrReplaced)
					assert.ErrorIs(t, v.Each([]int32{1, 2}, nil), ErrReplaced)
				}
				if c.after < 0 {
					assert.Empty(t, s.Sessions())
					assert.Zero(t, s.Stats().OpenFiles)
					return
				}
				now := only(t, s)
				if scanned {
					assert.NotEqual(t, x.Slot, now.Slot)
					assert.EqualValues(t, 2, s.Generation())
				}
				assert.Equal(t, c.after, view(t, now).Tree.Len())
				assert.Equal(t, 1, s.Stats().OpenFiles)
			})
		}
	}
}

// TestReadsNeverMix changes the file behind a store that does not look.
func TestReadsNeverMix(t *testing.T) {
	text := headerLine + chain(10)
	_, x := one(t, text)
	v := view(t, x)
	want, err := v.Raw(4)
	require.NoError(t, err)

	add(t, x.Path, message(10, "more"))
	got, err := v.Raw(4)
	require.NoError(t, err)
	assert.Equal(t, want, got, "growth does not disturb")

	write(t, x.Path, strings.Replace(text, "text", "TEXT", 20)+message(10, "more")+message(11, "more"))
	_, err = v.Raw(4)
	assert.ErrorIs(t, err, ErrReplaced)
	_, err = v.Raw(9)
	assert.ErrorIs(t, err, ErrReplaced)
	require.NoError(t, os.Truncate(x.Path, 100))
	_, err = v.Raw(0)
	assert.ErrorIs(t, err, ErrReplaced)
}

func TestTouched(t *testing.T) {
	s, x := one(t, headerLine+chain(10))
	v := view(t, x)
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(x.Path, long, long))
	touched := refresh(t, x)
	assert.NotSame(t, v, touched)
	assert.Same(t, v.Tree, touched.Tree)
	assert.Equal(t, long.UnixNano(), touched.Mtime)
	assert.Equal(t, long.UnixNano(), x.Stat().MtimeNS)
	require.NoError(t, os.Chmod(x.Path, 0o600))
	refresh(t, x)
	assert.EqualValues(t, 0o600, x.Stat().Mode)
	assert.Same(t, x, only(t, s))
	before := s.Stats()
	refresh(t, x)
	assert.Equal(t, before, s.Stats())
}

// TestOtherPath holds that a file that shows at its first path shows at
// another one once that is gone.
func TestOtherPath(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/b.jsonl", headerLine)
	require.NoError(t, os.Link(dir+"/b.jsonl", dir+"/a.jsonl"))
	s := open(t, dir)
	x := only(t, s)
	assert.Equal(t, "a.jsonl", x.Rel)
	require.NoError(t, os.Remove(dir+"/a.jsonl"))
	s.Rescan()
	now := only(t, s)
	assert.Equal(t, "b.jsonl", now.Rel)
	assert.NotEqual(t, x.Slot, now.Slot)
	require.NoError(t, os.Symlink(dir+"/b.jsonl", dir+"/a.jsonl"))
	s.Rescan()
	assert.Equal(t, "a.jsonl", only(t, s).Rel)
	_, err := now.View()
	assert.ErrorIs(t, err, ErrReplaced)
}

func TestClosed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), headerLine+chain(2))
	s := open(t, dir)
	x := only(t, s)
	v := view(t, x)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, err := v.Entry(0)
	assert.ErrorIs(t, err, ErrClosed)
	add(t, x.Path, message(2, "more"))
	_, err = x.Refresh()
	assert.ErrorIs(t, err, ErrClosed)
	s.Rescan()
	assert.Same(t, x, only(t, s))
}
