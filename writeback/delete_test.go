package writeback_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// trash puts a program called trash first on the path. It gets what script says.
func trash(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if script != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "trash"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// TestDelete asks for the trash first, as pi does.
func TestDelete(t *testing.T) {
	tests := []struct {
		name, script string
		trashed      bool
	}{
		{"no trash", "", false},
		{"trash that works", `rm "$1"`, true},
		{"trash that fails", `echo no home >&2; exit 1`, false},
		{"trash that fails, but the file is gone", `rm "$1"; exit 1`, true},
	}
	for _, test := range tests {
		trash(t, test.script)
		s := stored(t, small)
		trashed, err := writeback.Delete(t.Context(), s)
		require.NoError(t, err, test.name)
		assert.Equal(t, test.trashed, trashed, test.name)
		assert.NoFileExists(t, s.Path, test.name)
	}
}

// TestDeleteDash keeps a path from being taken as an option.
func TestDeleteDash(t *testing.T) {
	trash(t, `[ "$1" = -- ] && rm -- "$2"`)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("-s.jsonl", []byte(small), 0o600))
	trashed, err := writeback.DeleteFile(t.Context(), "-s.jsonl")
	require.NoError(t, err)
	assert.True(t, trashed)
	assert.NoFileExists(t, "./-s.jsonl")
}

// TestDeleteRefused leaves alone what is locked, replaced or being waited for.
func TestDeleteRefused(t *testing.T) {
	trash(t, "")
	s := stored(t, small)
	require.NoError(t, os.WriteFile(s.Path+".lock", nil, 0o600))
	_, err := writeback.Delete(t.Context(), s)
	require.ErrorIs(t, err, writeback.ErrBusy)
	assert.FileExists(t, s.Path)

	s = stored(t, small)
	require.NoError(t, os.WriteFile(s.Path+".new", []byte(small), 0o600))
	require.NoError(t, os.Rename(s.Path+".new", s.Path))
	_, err = writeback.Delete(t.Context(), s)
	require.ErrorIs(t, err, writeback.ErrStale)
	assert.FileExists(t, s.Path)

	trash(t, "exec sleep 60")
	s = stored(t, small)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = writeback.Delete(ctx, s)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.FileExists(t, s.Path, "not deleted for good because the trash is slow")
}
