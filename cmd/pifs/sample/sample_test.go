package sample_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/sample"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, sample.Write(dir))

	paths, err := fs.Glob(sample.FS(), "*/*.jsonl")
	require.NoError(t, err)
	assert.Len(t, paths, 4)
	for _, path := range paths {
		want, err := fs.ReadFile(sample.FS(), path)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), path)

		info, err := os.Stat(filepath.Join(dir, path))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), path)
		assert.Equal(t, 2025, info.ModTime().UTC().Year(), path)
		assert.Equal(t, time.November, info.ModTime().UTC().Month(), path)
	}
}

func TestWriteNeedsADirectoryToWriteTo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	assert.Error(t, sample.Write(file))
}
