package store

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFileInUseStaysOpen makes room while a file is read.
func TestFileInUseStaysOpen(t *testing.T) {
	dir := t.TempDir()
	writeSessions(t, dir, 2*openFiles, 1)
	s := open(t, dir)
	first := s.Sessions()[0]
	want := make([]byte, first.Stat().Size)
	var used *openFile
	err := s.files.with(first, func(file *openFile) error {
		used = file
		_, err := file.ReadAt(want, 0)
		require.NoError(t, err)
		for _, x := range s.Sessions() {
			view(t, x)
		}
		assert.Equal(t, openFiles, s.files.len())
		got := make([]byte, len(want))
		_, err = file.ReadAt(got, 0)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		return nil
	})
	require.NoError(t, err)
	_, kept := s.files.open[first]
	assert.False(t, kept)
	assert.Zero(t, used.users)
}

// TestReadingEndsWithStore closes the store while a file is read.
func TestReadingEndsWithStore(t *testing.T) {
	s, x := one(t, headerLine+chain(2))
	times := 0
	err := s.files.with(x, func(file *openFile) error {
		times++
		require.NoError(t, s.Close())
		_, err := file.ReadAt(make([]byte, 1), 0)
		return err
	})
	assert.ErrorIs(t, err, ErrClosed)
	assert.Equal(t, 1, times)
}

// TestReadingEndsWithSession removes the session while its file is read.
func TestReadingEndsWithSession(t *testing.T) {
	s, x := one(t, headerLine+chain(2))
	err := s.files.with(x, func(file *openFile) error {
		s.publish(s.state.Load(), &state{}, nil)
		_, err := file.ReadAt(make([]byte, 1), 0)
		return err
	})
	assert.ErrorIs(t, err, ErrReplaced)
}

func TestOpenFileErrors(t *testing.T) {
	s, x := one(t, headerLine)
	err := s.files.with(x, func(file *openFile) error {
		n, err := file.ReadAt(make([]byte, len(headerLine)+1), 0)
		assert.Equal(t, len(headerLine), n)
		assert.Equal(t, io.EOF, err)
		_, err = file.ReadAt(make([]byte, 1), -1)
		return err
	})
	assert.EqualError(t, err, "read "+x.Path+": invalid argument")
}
