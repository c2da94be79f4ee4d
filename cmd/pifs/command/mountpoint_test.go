package command

import (
	"os"
	"os/user"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrepareMountpoint(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.MkdirAll(in("store/--project--"), 0o700))
	require.NoError(t, os.Mkdir(in("empty"), 0o700))
	require.NoError(t, os.MkdirAll(in("full/of-things"), 0o700))
	require.NoError(t, os.WriteFile(in("file"), nil, 0o600))
	require.NoError(t, os.Symlink("empty", in("link")))
	require.NoError(t, os.Symlink("nowhere", in("dangling")))
	require.NoError(t, os.Symlink("store", in("store-link")))

	good := []struct {
		name, path string
		created    bool
	}{
		{"empty", in("empty"), false},
		{"link", in("empty"), false},
		{"missing", in("missing"), true},
		{"storeroom", in("storeroom"), true}, // only looks like the store
	}
	for _, tt := range good {
		m, err := prepareMountpoint(in(tt.name), []string{in("store")})
		require.NoError(t, err, tt.name)
		assert.Equal(t, mountpoint{tt.path, tt.created}, m, tt.name)
		m.remove()
		_, err = os.Stat(m.dir)
		assert.Equal(t, tt.created, os.IsNotExist(err), "%s: only what was created is removed", tt.name)
	}

	bad := []struct{ name, message string }{
		{"file", "not a directory"},
		{"full", "not empty (of-things"},
		{"dangling", "link to nowhere"},
		{"store", "inside the session store"},
		{"store/--project--", "inside the session store"},
		{"store-link/new", "inside the session store"},
		{".", "would hide the session store"},
		{"no/such/parent", "the mountpoint's directory is missing: mkdir -p " + in("no/such")},
		{"file/below", "can't use the mountpoint"},
	}
	for _, tt := range bad {
		_, err := prepareMountpoint(in(tt.name), []string{in("store")})
		assert.ErrorContains(t, err, tt.message, tt.name)
		assert.Equal(t, ExitMountpoint, exitCode(err), tt.name)
	}
	assert.NoDirExists(t, in("store/new"), "a directory created in vain is removed again")

	_, err = prepareMountpoint("/proc", nil)
	assert.ErrorContains(t, err, "has something mounted on it (proc)")
}

func TestRemoveKeepsWhatWasPutThere(t *testing.T) {
	m, err := prepareMountpoint(filepath.Join(t.TempDir(), "new"), nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "file"), nil, 0o600))
	m.remove()
	assert.FileExists(t, filepath.Join(m.dir, "file"))
}

func TestMountpointArg(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	dir, err := mountpointArg(nil)
	require.NoError(t, err)
	assert.Equal(t, "/home/ada/pi-sessions", dir)

	dir, err = mountpointArg([]string{"/a/../b/"})
	require.NoError(t, err)
	assert.Equal(t, "/b", dir)

	t.Setenv("HOME", "")
	me, err := user.Current()
	require.NoError(t, err)
	dir, err = mountpointArg(nil)
	require.NoError(t, err, "as the store is found")
	assert.Equal(t, me.HomeDir+"/pi-sessions", dir)
}
