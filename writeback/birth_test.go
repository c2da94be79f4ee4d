package writeback_test

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// TestBirth makes the file with the first user or assistant message, with all that
// came before it.
func TestBirth(t *testing.T) {
	s := create(t, writeback.Options{})
	_, err := s.AppendModelChange("anthropic", "m")
	require.NoError(t, err)
	_, err = s.AppendMessage(shellMessage)
	require.NoError(t, err)
	assert.NoFileExists(t, s.File())
	_, err = s.AppendMessage(userMessage)
	require.NoError(t, err)
	assert.Equal(t, 4, strings.Count(read(t, s.File()), "\n"))

	v := view(t, open(t, s.File()))
	assert.Equal(t, 3, v.Tree.Len())
	assert.Equal(t, s.LeafID(), v.Tree.ID(v.Tree.Leaf()))
	assert.Equal(t, s.ID(), v.Header.ID.Text())
	assert.Equal(t, byte('7'), s.ID()[14], "a UUID of version 7")
}

// TestBirthSteps makes each step of a birth fail: there is no file, the entry is not
// in memory, and the next try succeeds.
func TestBirthSteps(t *testing.T) {
	recorder := &faults{}
	_, err := create(t, writeback.Options{FS: recorder}).AppendMessage(userMessage)
	require.NoError(t, err)
	steps := slices.Compact(slices.Sorted(slices.Values(recorder.seen)))
	require.Contains(t, steps, writeback.OpCreate)
	for _, step := range steps {
		fs := &faults{at: step, err: syscall.ENOSPC, short: 7}
		s := create(t, writeback.Options{FS: fs})
		_, err := s.AppendMessage(userMessage)
		require.ErrorIs(t, err, syscall.ENOSPC, step)
		assert.NoFileExists(t, s.File(), step)
		assert.Empty(t, s.LeafID(), step)
		assert.Zero(t, s.EntryCount(), step)

		fs.at = ""
		_, err = s.AppendMessage(userMessage)
		require.NoError(t, err, step)
		assert.Equal(t, 1, view(t, open(t, s.File())).Tree.Len(), step)
	}
}

// TestBirthTaken leaves another session's file alone.
func TestBirthTaken(t *testing.T) {
	s := create(t, writeback.Options{})
	require.NoError(t, os.WriteFile(s.File(), []byte("another's"), 0o600))
	_, err := s.AppendMessage(userMessage)
	require.ErrorIs(t, err, os.ErrExist)
	assert.Equal(t, "another's", read(t, s.File()))
}

// TestRollback makes each step of an append fail: memory is as it was, and the next
// try succeeds.
func TestRollback(t *testing.T) {
	recorder := &faults{}
	s := create(t, writeback.Options{FS: recorder})
	_, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	recorder.seen = nil
	_, err = s.AppendSessionInfo("n")
	require.NoError(t, err)
	for _, step := range slices.Compact(slices.Sorted(slices.Values(recorder.seen))) {
		fs := &faults{}
		s := create(t, writeback.Options{FS: fs})
		first, err := s.AppendMessage(userMessage)
		require.NoError(t, err)
		fs.at, fs.err, fs.short = step, syscall.EIO, 9
		_, err = s.AppendSessionInfo("lost")
		require.ErrorIs(t, err, syscall.EIO, step)
		assert.Equal(t, first, s.LeafID(), step)
		assert.Equal(t, 1, s.EntryCount(), step)
		assert.Empty(t, s.Name(), step)
		fs.at = ""
		id, err := s.AppendSessionInfo("kept")
		require.NoError(t, err, step)
		v := view(t, open(t, s.File()))
		i, ok := v.Tree.Lookup(id)
		require.True(t, ok, step)
		assert.Equal(t, 0, v.Tree.Parent(i), step)
	}
}

// TestBranchedRollback keeps the session as it was if its branch cannot be written.
func TestBranchedRollback(t *testing.T) {
	fs := &faults{}
	s := create(t, writeback.Options{FS: fs})
	id, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	path := s.File()
	fs.at, fs.err = writeback.OpCreate, syscall.ENOSPC
	_, err = s.CreateBranchedSession(id)
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.Equal(t, path, s.File())
	assert.Equal(t, id, s.LeafID())
}
