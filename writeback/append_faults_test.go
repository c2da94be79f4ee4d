package writeback_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// threeLabels is a plan whose three lines are written at once.
func threeLabels(*store.View) ([]writeback.Change, error) {
	name := "a name"
	return []writeback.Change{{Name: &name}, {Target: "aaaaaaaa", Label: "L"}, {Target: "bbbbbbbb", Label: "M"}}, nil
}

// TestAppendSteps makes each step of an append fail, with each error that it may
// have: the error reaches the caller, the old bytes stay, and the new entries are
// there whole or not at all. The next append succeeds.
func TestAppendSteps(t *testing.T) {
	recorder := &faults{}
	require.NoError(t, writeback.Append(stored(t, small), writeback.Options{FS: recorder}, threeLabels))
	steps := append(slices.Compact(slices.Sorted(slices.Values(recorder.seen))), writeback.OpFinish)
	require.Contains(t, steps, writeback.OpReserve)
	for _, step := range steps {
		for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT} {
			t.Run(fmt.Sprintf("%s: %s", step, errno), func(t *testing.T) {
				s := stored(t, small)
				fs := &faults{at: step, err: errno}
				if step == writeback.OpFinish {
					fs.cut = 10
				}
				err := writeback.Append(s, writeback.Options{FS: fs}, threeLabels)
				require.ErrorIs(t, err, errno)
				assert.Equal(t, errno, writeback.Errno(err))
				added(t, s, small)
				requireWhole(t, s.Path)

				require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
				requireThreeLabels(t, s)
				requireWhole(t, s.Path)
			})
		}
	}
}

// requireThreeLabels checks that the session is as threeLabels makes it.
func requireThreeLabels(t *testing.T, s *store.Session) {
	t.Helper()
	v := view(t, s)
	name, _ := v.Tree.Name()
	require.Equal(t, "a name", name)
	for id, label := range map[string]string{"aaaaaaaa": "L", "bbbbbbbb": "M"} {
		i, ok := v.Tree.Lookup(id)
		require.True(t, ok)
		require.Equal(t, label, v.Tree.Label(i))
	}
}

// TestShortWrite cuts the write after each byte. With an error the caller has it
// and a torn line is sealed, so that pi's next one is not lost; without one the rest
// is written too.
func TestShortWrite(t *testing.T) {
	s := stored(t, small)
	require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
	length := len(added(t, s, small))
	next := strings.Replace(assistant, "bbbbbbbb", "cccccccc", 1)
	for short := range length {
		s := stored(t, small)
		fs := &faults{at: writeback.OpWrite, err: syscall.ENOSPC, short: short}
		err := writeback.Append(s, writeback.Options{FS: fs, NoSync: true}, threeLabels)
		require.ErrorIs(t, err, syscall.ENOSPC, "%d bytes", short)
		text := added(t, s, small)
		require.True(t, text == "" || strings.HasSuffix(text, "\n"), "%d bytes are not sealed: %q", short, text)
		requireWhole(t, s.Path)
		foreignAppend(t, s.Path, next) // pi goes on
		require.NoError(t, writeback.Append(s, writeback.Options{NoSync: true}, threeLabels))
		requireThreeLabels(t, s)
		require.Contains(t, read(t, s.Path), "\n"+next)

		s = stored(t, small)
		fs = &faults{at: writeback.OpWrite, short: max(short, 1)}
		require.NoError(t, writeback.Append(s, writeback.Options{FS: fs, NoSync: true}, threeLabels))
		require.Len(t, added(t, s, small), length)
		requireThreeLabels(t, s)
	}
}

// TestTornTail appends to files whose last line is torn after each byte, as a
// program that was killed leaves them: the new line is not glued to it.
func TestTornTail(t *testing.T) {
	for cut := range len(assistant) {
		text := header + user + assistant[:cut]
		s := stored(t, text)
		require.NoError(t, writeback.Append(s, writeback.Options{NoSync: true}, writeback.SetName("n")), "%d bytes", cut)
		name, _ := view(t, s).Tree.Name()
		require.Equal(t, "n", name, "%d bytes", cut)
		added(t, s, text)
		requireWhole(t, s.Path)
	}
}

// TestTornMeanwhile has another program leave a torn line after the append has
// looked at the last byte: the new entry, which that line swallows, is written
// again.
func TestTornMeanwhile(t *testing.T) {
	s := stored(t, small)
	fs := &faults{before: once(writeback.OpWrite, func() { foreignAppend(t, s.Path, `{"torn":`) })}
	require.NoError(t, writeback.Append(s, writeback.Options{FS: fs}, threeLabels))
	requireThreeLabels(t, s)
	requireWhole(t, s.Path)
}

// TestNotSealed cuts a write and has the newline after it fail too: the next append
// of pifs seals the line.
func TestNotSealed(t *testing.T) {
	s := stored(t, small)
	fs := &faults{at: writeback.OpWrite, also: writeback.OpSeal, err: syscall.ENOSPC, short: 10}
	require.ErrorIs(t, writeback.Append(s, writeback.Options{FS: fs}, threeLabels), syscall.ENOSPC)
	require.Len(t, added(t, s, small), 10)
	require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
	requireThreeLabels(t, s)
	requireWhole(t, s.Path)
}

// TestInterleaved has another program append between two parts of a write.
func TestInterleaved(t *testing.T) {
	s := stored(t, small)
	foreign := `{"type":"custom","customType":"x","id":"ffffffff","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:08.000Z"}` + "\n"
	fs := &faults{
		cut:    10,
		before: once(writeback.OpFinish, func() { foreignAppend(t, s.Path, "\n"+foreign) }),
	}
	require.NoError(t, writeback.Append(s, writeback.Options{FS: fs}, threeLabels))
	requireThreeLabels(t, s)
	_, ok := view(t, s).Tree.Lookup("ffffffff")
	assert.True(t, ok, "the other program's line")
}

// TestReplacedMeanwhile replaces the file at each step. The entry ends up in the
// file that the path names.
func TestReplacedMeanwhile(t *testing.T) {
	for _, step := range []writeback.Op{
		writeback.OpOpen, writeback.OpLock, writeback.OpNamed, writeback.OpLastByte, writeback.OpReserve,
		writeback.OpWrite, writeback.OpSync, writeback.OpSeam, writeback.OpRenamed,
	} {
		t.Run(string(step), func(t *testing.T) {
			s := stored(t, small)
			path := s.Path
			replace := func() {
				require.NoError(t, os.WriteFile(path+".new", []byte(small+"{}\n"), 0o600))
				require.NoError(t, os.Rename(path+".new", path))
			}
			old, err := os.Open(path)
			require.NoError(t, err)
			defer old.Close()
			fs := &faults{before: once(step, replace)}
			require.NoError(t, writeback.Append(s, writeback.Options{FS: fs}, threeLabels))
			if step == writeback.OpOpen || step == writeback.OpLock { // The old file is not written to.
				info, err := old.Stat()
				require.NoError(t, err)
				require.Len(t, small, int(info.Size()))
			}
			s = open(t, path)
			added(t, s, small+"{}\n")
			requireThreeLabels(t, s)
		})
	}
}

// TestStale lists what an append to a session that is no longer there gives. No
// file is made or changed.
func TestStale(t *testing.T) {
	other := strings.Replace(small, `"s1"`, `"s2"`, 1)
	tests := []struct {
		name   string
		change func(path string) error
	}{
		{"deleted", os.Remove},
		{"replaced", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte(other), 0o600), os.Rename(path+".new", path))
		}},
		{"truncated", func(path string) error { return os.Truncate(path, 0) }},
	}
	for _, test := range tests {
		for _, step := range []writeback.Op{"", writeback.OpLock, writeback.OpWrite} {
			t.Run(fmt.Sprintf("%s before %q", test.name, step), func(t *testing.T) {
				s := stored(t, small)
				change := func() { require.NoError(t, test.change(s.Path)) }
				if step == "" {
					change()
				}
				err := writeback.Append(s, writeback.Options{FS: &faults{before: once(step, change)}}, threeLabels)
				require.ErrorIs(t, err, writeback.ErrStale)
				assert.Equal(t, syscall.ESTALE, writeback.Errno(err))
				if test.name == "deleted" {
					assert.NoFileExists(t, s.Path)
				}
				if test.name == "replaced" {
					assert.Equal(t, other, read(t, s.Path))
				}
			})
		}
	}
}

// TestReplacedForever gives up on a file that is replaced at each try.
func TestReplacedForever(t *testing.T) {
	s := stored(t, small)
	fs := &faults{before: func(op writeback.Op) {
		if op == writeback.OpRenamed {
			require.NoError(t, os.WriteFile(s.Path+".new", []byte(small), 0o600))
			require.NoError(t, os.Rename(s.Path+".new", s.Path))
		}
	}}
	err := writeback.Append(s, writeback.Options{FS: fs}, threeLabels)
	require.ErrorIs(t, err, writeback.ErrStale)
	assert.Equal(t, small, read(t, s.Path))
}

// TestUnsupported appends on a file system without flock and fallocate.
func TestUnsupported(t *testing.T) {
	for step, errnos := range map[writeback.Op][]syscall.Errno{
		writeback.OpReserve: {syscall.EOPNOTSUPP, syscall.ENOSYS},
		writeback.OpLock:    {syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.ENOLCK},
	} {
		for _, errno := range errnos {
			s := stored(t, small)
			require.NoError(t, writeback.Append(s, writeback.Options{FS: &faults{at: step, err: errno}}, threeLabels), "%s: %s", step, errno)
			requireThreeLabels(t, s)
		}
	}
}

// TestNoSync does not wait for the disk.
func TestNoSync(t *testing.T) {
	fs := &faults{}
	require.NoError(t, writeback.Append(stored(t, small), writeback.Options{FS: fs, NoSync: true}, threeLabels))
	assert.NotContains(t, fs.seen, writeback.OpSync)
	fs = &faults{}
	require.NoError(t, writeback.Append(stored(t, small), writeback.Options{FS: fs}, threeLabels))
	assert.Contains(t, fs.seen, writeback.OpSync)
}

// TestForeignLock refuses to write beside another program's fresh lock file, and
// takes an old one for a dead program's.
func TestForeignLock(t *testing.T) {
	s := stored(t, small)
	require.NoError(t, os.Mkdir(s.Path+".lock", 0o700))
	err := writeback.Append(s, writeback.Options{}, threeLabels)
	require.ErrorIs(t, err, writeback.ErrBusy)
	assert.Equal(t, syscall.EBUSY, writeback.Errno(err))
	assert.ErrorIs(t, writeback.Check(s), writeback.ErrBusy)
	assert.Equal(t, small, read(t, s.Path))

	old := time.Now().Add(-writeback.ForeignLockAge)
	require.NoError(t, os.Chtimes(s.Path+".lock", old, old))
	require.NoError(t, writeback.Check(s))
	require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
}

// TestForeignLockBehindLink finds the lock of a file that the store links to.
func TestForeignLockBehindLink(t *testing.T) {
	file := stored(t, small).Path
	link := filepath.Join(t.TempDir(), "link.jsonl")
	require.NoError(t, os.Symlink(file, link))
	s := open(t, link)
	require.NoError(t, writeback.Check(s))
	require.NoError(t, os.WriteFile(file+".lock", nil, 0o600))
	assert.ErrorIs(t, writeback.Check(s), writeback.ErrBusy)
	assert.ErrorIs(t, writeback.Append(s, writeback.Options{}, threeLabels), writeback.ErrBusy)
}

// TestLongestFileName writes to a file beside which there can be no lock file.
func TestLongestFileName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255-len(".jsonl"))+".jsonl")
	require.NoError(t, os.WriteFile(path, []byte(small), 0o600))
	s := open(t, path)
	require.NoError(t, writeback.Check(s))
	require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
}

// TestDiskFull fills a small tmpfs up to each of the last bytes that a change needs.
func TestDiskFull(t *testing.T) {
	dir := tmpfs(t, "64k")
	path := dir + "/s.jsonl"
	require.NoError(t, os.WriteFile(path, []byte(small), 0o600))
	s := open(t, path)
	fill(t, dir+"/filler")
	full := 0
	for i := 0; full < 3; i++ {
		before, plan := read(t, path), writeback.SetName(fmt.Sprint("name ", i))
		told := writeback.CheckPlan(s, plan)
		err := writeback.Append(s, writeback.Options{}, plan)
		require.Equal(t, writeback.Errno(err), writeback.Errno(told), "it is known before")
		text := added(t, s, before)
		name, _ := view(t, s).Tree.Name()
		if err == nil {
			require.Equal(t, fmt.Sprint("name ", i), name)
			continue
		}
		full++
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.Equal(t, syscall.ENOSPC, writeback.Errno(err))
		require.Empty(t, text)
		require.NotEqual(t, fmt.Sprint("name ", i), name)
	}
	require.NoError(t, os.Remove(dir+"/filler"))
	require.NoError(t, writeback.Append(s, writeback.Options{}, threeLabels))
	requireThreeLabels(t, s)
	requireWhole(t, path)
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

// once returns a hook that calls f before the first time that a step is taken.
func once(step writeback.Op, f func()) func(writeback.Op) {
	done := false
	return func(op writeback.Op) {
		if op == step && !done {
			done = true
			f()
		}
	}
}

// foreignAppend appends as a program that knows nothing of pifs.
func foreignAppend(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteString(text)
	require.NoError(t, err)
}
