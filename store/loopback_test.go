package store

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// loopbackEnv makes TestLoopbackServer serve: "FROM:MOUNTPOINT".
const loopbackEnv = "PIFS_TEST_LOOPBACK"

// TestLoopbackServer is no test: it mounts a directory at another one until its
// standard input ends. That must be another process: one that uses its own mount
// can wait for itself.
func TestLoopbackServer(t *testing.T) {
	from, at := os.Getenv(loopbackEnv), os.Getenv(loopbackEnv+"_AT")
	if from == "" {
		t.Skip("run by TestWatchFUSE")
	}
	root, err := fs.NewLoopbackRoot(from)
	require.NoError(t, err)
	second := time.Second
	server, err := fs.Mount(at, root, &fs.Options{
		EntryTimeout: &second,
		AttrTimeout:  &second,
		MountOptions: fuse.MountOptions{DirectMount: true},
	})
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, os.Stdin)
	require.NoError(t, err)
	require.NoError(t, server.Unmount())
}

// loopback mounts a directory at another one until the test ends.
func loopback(t *testing.T, from, at string) {
	t.Helper()
	server := exec.Command(os.Args[0], "-test.run", "^TestLoopbackServer$")
	server.Env = append(os.Environ(), loopbackEnv+"="+from, loopbackEnv+"_AT="+at)
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		stdin.Close()
		assert.NoError(t, server.Wait())
		assert.False(t, isMounted(at), "the mount is left behind")
	})
	soon(t, func() bool { return isMounted(at) })
}

func isMounted(path string) bool {
	here, err := statPath(path)
	above, err2 := statPath(path + "/..")
	return err == nil && err2 == nil && here.dev != above.dev
}

// TestWatchFUSE follows a store on a file system where inotify is silent about what
// is written on its other side, at the usual pace.
func TestWatchFUSE(t *testing.T) {
	needs.FUSE(t)
	from, at := t.TempDir(), t.TempDir()
	write(t, from+"/p/a.jsonl", headerLine)
	loopback(t, from, at)

	s := watch(t, at, Options{Watch: true})
	x := holds(t, s, 0)
	for i := range 3 {
		begin := time.Now()
		add(t, from+"/p/a.jsonl", message(i, "text"))
		assert.Same(t, x, holds(t, s, i+1))
		// The mount itself may answer what it knew for a second.
		assert.Less(t, time.Since(begin), 2*time.Second)
	}
	write(t, from+"/p/b.jsonl", headerLine)
	shows(t, s, "p/a.jsonl", "p/b.jsonl")
	require.NoError(t, os.RemoveAll(from+"/p"))
	shows(t, s)
}
