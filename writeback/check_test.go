package writeback_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/writeback"
)

// TestReadOnlyDialects refuses to write to other programs' and later versions'
// sessions.
func TestReadOnlyDialects(t *testing.T) {
	for _, name := range []string{
		"header-on-line-2-title-slot.jsonl", "version-4.jsonl", "version-99-string.jsonl", "v4-lookalike-dsh.jsonl",
	} {
		path := edge(t, name)
		s, text := open(t, path), read(t, path)
		err := writeback.Append(s, writeback.Options{}, writeback.SetName("n"))
		require.ErrorIs(t, err, writeback.ErrReadOnly, name)
		assert.Equal(t, syscall.EROFS, writeback.Errno(err), name)
		assert.ErrorIs(t, writeback.Check(s), writeback.ErrReadOnly, name)
		_, err = writeback.Fork(s, writeback.ForkOptions{})
		assert.ErrorIs(t, err, writeback.ErrReadOnly, name)
		assert.Equal(t, text, read(t, path), name)
		assertAlone(t, path)
	}
}

// TestReadOnlyFile gets the kernel's word for a file or a disk that is read only.
func TestReadOnlyFile(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EACCES, syscall.EROFS, syscall.EPERM} {
		s := stored(t, small)
		err := writeback.Append(s, writeback.Options{FS: &faults{at: writeback.OpOpen, err: errno}}, writeback.SetName("n"))
		assert.Equal(t, errno, writeback.Errno(err))
	}
}

// TestCheckModes asks the kernel before anything is written.
func TestCheckModes(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	s := stored(t, small)
	require.NoError(t, writeback.Check(s))
	require.NoError(t, os.Chmod(s.Path, 0o400))
	err := writeback.Check(s)
	assert.Equal(t, syscall.EACCES, writeback.Errno(err))
	assert.Equal(t, syscall.EACCES, writeback.Errno(writeback.Append(s, writeback.Options{}, writeback.SetName("n"))))
}

// TestCheckReadOnlyMount does so on a file system that is mounted read only.
func TestCheckReadOnlyMount(t *testing.T) {
	dir := tmpfs(t, "64k")
	require.NoError(t, os.WriteFile(dir+"/s.jsonl", []byte(small), 0o600))
	s := open(t, dir+"/s.jsonl")
	require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	assert.Equal(t, syscall.EROFS, writeback.Errno(writeback.Check(s)))
	assert.Equal(t, syscall.EROFS, writeback.Errno(writeback.Append(s, writeback.Options{}, writeback.SetName("n"))))
}

// TestCheckImmutable does so with a file that not even root may write to.
func TestCheckImmutable(t *testing.T) {
	const immutable = 0x10 // FS_IMMUTABLE_FL
	s := stored(t, small)
	f, err := os.Open(s.Path)
	require.NoError(t, err)
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, immutable); err != nil {
		t.Skip("no immutable files here: ", err)
	}
	defer unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, 0)
	assert.Equal(t, syscall.EPERM, writeback.Errno(writeback.Check(s)))
	assert.Equal(t, syscall.EPERM, writeback.Errno(writeback.Append(s, writeback.Options{}, writeback.SetName("n"))))
}

// TestCheckGone tells of a session whose file is not there.
func TestCheckGone(t *testing.T) {
	s := stored(t, small)
	require.NoError(t, os.Remove(s.Path))
	assert.ErrorIs(t, writeback.Check(s), writeback.ErrStale)
}

// TestCheckHardLinks tells of a session that would have to be migrated but cannot.
func TestCheckHardLinks(t *testing.T) {
	s := open(t, edge(t, "v1-linear.jsonl"))
	require.NoError(t, writeback.Check(s))
	require.NoError(t, os.Link(s.Path, s.Path+".other"))
	assert.ErrorIs(t, writeback.Check(s), writeback.ErrHardLinks)

	s = stored(t, small)
	require.NoError(t, os.Link(s.Path, s.Path+".other"))
	assert.NoError(t, writeback.Check(s), "a file of version 3 is not replaced")
}

// TestCheckRoomToMigrate tells of a disk that has room for a line, but not for another
// file.
func TestCheckRoomToMigrate(t *testing.T) {
	dir := tmpfs(t, "64k")
	require.NoError(t, os.WriteFile(dir+"/s.jsonl", []byte(legacy), 0o600))
	s := open(t, dir+"/s.jsonl")
	plan := writeback.SetName("n")
	require.NoError(t, writeback.CheckPlan(s, plan))
	fill(t, dir+"/filler")
	assert.ErrorIs(t, writeback.Check(s), syscall.ENOSPC)
	assert.ErrorIs(t, writeback.CheckPlan(s, plan), syscall.ENOSPC)
	assert.ErrorIs(t, writeback.Append(s, writeback.Options{}, plan), syscall.ENOSPC)
	assert.Equal(t, legacy, read(t, s.Path))
}
