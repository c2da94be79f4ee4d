package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/sample"
)

// The first session of the sample.
const (
	sampleID   = "019a48c5-e480-77c7-9f9b-3064f38e9a75"
	sampleName = "2025-11-03T08-12-00-906Z_" + sampleID
)

func TestOpenSession(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, sample.Write(dir))
	file := filepath.Join(dir, "--home-ada-weather--", sampleName+".jsonl")

	// What a mount has of it, as far as it matters.
	mounted := filepath.Join(t.TempDir(), "home-ada-weather", sampleName)
	require.NoError(t, os.MkdirAll(filepath.Join(mounted, "branches", "059bfe97", "path"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(mounted, "entries"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(mounted, "entries", "%2Eodd.md"), nil, 0o600))
	require.NoError(t, os.Symlink(file, filepath.Join(mounted, "session.jsonl")))
	require.NoError(t, os.Symlink(sampleName, filepath.Join(filepath.Dir(mounted), "latest")))
	require.NoError(t, os.Symlink("branches/059bfe97", filepath.Join(mounted, "current")))

	store := storeOptions{dirs: []string{dir}}
	for _, tt := range []struct{ arg, entry string }{
		{sampleID, ""},
		{sampleID[:12], ""},
		{sampleName, ""},
		{sampleName[:15], ""},
		{file, ""},
		{mounted, ""},
		{mounted + "/", ""},
		{filepath.Join(mounted, "session.jsonl"), ""},
		{filepath.Join(mounted, "..", "latest"), ""},
		{filepath.Join(mounted, "branches"), ""},
		{filepath.Join(mounted, "branches", "059bfe97"), "059bfe97"},
		{filepath.Join(mounted, "branches", "059bfe97", "path"), "059bfe97"},
		{filepath.Join(mounted, "current"), "059bfe97"},
		{filepath.Join(mounted, "entries", "%2Eodd.md"), ".odd"},
		{sampleID + "@8b1a8f11", "8b1a8f11"},
		{mounted + "@8b1a8f11", "8b1a8f11"},
	} {
		ref, err := store.openSessionEntry(t.Context(), tt.arg)
		require.NoError(t, err, tt.arg)
		assert.Equal(t, file, ref.Path, tt.arg)
		assert.Equal(t, tt.entry, ref.entry, tt.arg)
		assert.NoError(t, ref.Close())
	}

	for arg, message := range map[string]string{
		"":                                    "no session is called",
		"no-such-session":                     "no session is called \"no-such-session\"",
		"019a4":                               "2 sessions are called \"019a4\", " + file + " and ",
		filepath.Join(dir, "no-such"):         "no session is called",
		strings.ToUpper(sampleID):             "no session is called",
		mounted + "/entries/none.md":          "no entry none in session " + sampleID,
		mounted + "/branches/none/context.md": "no entry none in session " + sampleID,
		mounted + "/branches/8b1a8f11/none":   "8b1a8f11/none: no such file or directory",
		mounted + "/none":                     mounted + "/none: no such file or directory",
		filepath.Dir(mounted) + "/none":       "no session is called",
		file + "/none":                        "no session is called",
	} {
		_, err := store.openSession(t.Context(), arg)
		assert.ErrorContains(t, err, message, arg)
	}
	t.Chdir(mounted)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "without-id.jsonl"), []byte(`{"type":"session","version":3,"cwd":"/"}`+"\n"), 0o600))
	for _, arg := range []string{"", "@8b1a8f11"} {
		_, err := store.openSessionEntry(t.Context(), arg)
		assert.ErrorContains(t, err, "no session is called", "an unset variable names no session")
	}
	noSession := filepath.Join(dir, "no-session.jsonl")
	require.NoError(t, os.WriteFile(noSession, []byte("{}\n"), 0o600))
	_, err = store.openSession(t.Context(), noSession)
	assert.EqualError(t, err, noSession+" is no session file: no session header: the first line has no type")
	_, err = store.openSession(t.Context(), "/etc/passwd")
	assert.EqualError(t, err, "/etc/passwd is no session file: the name of one ends in .jsonl")
}

// TestRmPart refuses to delete a session for a path in it.
func TestRmPart(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, sample.Write(dir))
	file := filepath.Join(dir, "--home-ada-weather--", sampleName+".jsonl")
	mounted := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(mounted, "labels"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(mounted, "labels", "works"), nil, 0o600))
	require.NoError(t, os.Symlink(file, filepath.Join(mounted, "session.jsonl")))
	t.Chdir(filepath.Join(mounted, "labels"))
	for _, arg := range []string{"works", ".", mounted + "/labels/works"} {
		cmd := newRmCommand()
		cmd.SetContext(t.Context())
		assert.ErrorContains(t, runRm(cmd, rmOptions{}, arg), "only a part of a session", arg)
	}
	assert.FileExists(t, file)
}

// TestSameIDTwice: an id that two files have is two sessions.
func TestSameIDTwice(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	require.NoError(t, sample.Write(one))
	require.NoError(t, sample.Write(two))
	_, err := storeOptions{dirs: []string{one, two}}.openSession(t.Context(), sampleID)
	assert.ErrorContains(t, err, "2 sessions are called \""+sampleID+"\", ")
	assert.ErrorContains(t, err, "the column SESSION of 'pifs list' tells them apart")
}
