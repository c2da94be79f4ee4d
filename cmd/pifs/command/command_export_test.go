package command_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
)

func TestExport(t *testing.T) {
	store := sampleStore(t)
	dir := filepath.Join(t.TempDir(), "new", "export")
	assert.Empty(t, ok(t, "export", "--store", store, dir))

	read := func(path string) string {
		data, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		return string(data)
	}
	for _, path := range []string{"home-ada-weather/latest/current/context.md", "home-ada-weather/latest/parent/info.json", "home-ada-garden/cwd"} {
		assert.Equal(t, ok(t, "cat", "--store", store, path), read(path), path)
	}
	stored, err := filepath.Glob(filepath.Join(store, "*", "2025-11-04*.jsonl"))
	require.NoError(t, err)
	require.Len(t, stored, 1)
	want, err := os.ReadFile(stored[0])
	require.NoError(t, err)
	assert.Equal(t, string(want), read("home-ada-weather/latest/session.jsonl"))

	// The whole can be moved: no link leads out of it, and none is dead.
	moved := filepath.Join(filepath.Dir(dir), "moved")
	require.NoError(t, os.Rename(dir, moved))
	require.NoError(t, filepath.WalkDir(moved, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.Type() == fs.ModeSymlink {
			to, err := filepath.EvalSymlinks(path)
			require.NoError(t, err)
			assert.Contains(t, to, moved)
		}
		return nil
	}))
}

func TestExportKeepsModesAndTimes(t *testing.T) {
	store := sampleStore(t)
	dir := t.TempDir()
	ok(t, "export", "--store", store, dir)
	transcripts, err := filepath.Glob(filepath.Join(dir, "*", "2025-11-03*", "transcript.md"))
	require.NoError(t, err)
	require.Len(t, transcripts, 1)
	file, err := os.Stat(transcripts[0])
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o400), file.Mode().Perm(), "the store's file is its owner's alone")
	assert.Equal(t, 2025, file.ModTime().UTC().Year())
	link, err := os.Lstat(filepath.Join(dir, "home-ada-weather", "latest"))
	require.NoError(t, err)
	assert.Equal(t, 2025, link.ModTime().UTC().Year())
	session, err := os.Stat(filepath.Dir(transcripts[0]))
	require.NoError(t, err)
	assert.Equal(t, 2025, session.ModTime().UTC().Year())
}

func TestExportRefuses(t *testing.T) {
	noStore(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600))
	r := pifs("export", "--sample", dir)
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Contains(t, r.stderr, "not empty (mine")
	r = pifs("export", "--sample", filepath.Join(dir, "mine"))
	assert.Equal(t, command.ExitFailed, r.code)
}

// TestExportRefusesTheStore: the copies would be sessions of the store.
func TestExportRefusesTheStore(t *testing.T) {
	store := sampleStore(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(store, link))
	for _, dir := range []string{store, filepath.Join(store, "export"), filepath.Join(store, "a", "b"), filepath.Join(link, "export")} {
		r := pifs("export", "--store", store, dir)
		assert.Equal(t, command.ExitMountpoint, r.code, dir)
		assert.Contains(t, r.stderr, dir+" is inside the session store", dir)
	}
	assert.Len(t, list(t, store), 4)
	assert.NoDirExists(t, filepath.Join(store, "a"))
}
