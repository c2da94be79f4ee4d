package store

import (
	"errors"
	"fmt"
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

// loopbackEnv makes the test binary a server: of the directory that it names, at
// the one that loopbackEnv_AT names.
const loopbackEnv = "PIFS_TEST_LOOPBACK"

func TestMain(m *testing.M) {
	if from := os.Getenv(loopbackEnv); from != "" {
		if err := serveLoopback(from, os.Getenv(loopbackEnv+"_AT")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serveLoopback mounts a directory at another one until its standard input ends.
// That must be another process: one that uses its own mount can wait for itself.
func serveLoopback(from, at string) error {
	root, err := fs.NewLoopbackRoot(from)
	if err != nil {
		return err
	}
	second := time.Second
	server, err := fs.Mount(at, root, &fs.Options{
		EntryTimeout: &second,
		AttrTimeout:  &second,
		MountOptions: fuse.MountOptions{DirectMount: true},
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, server.Unmount())
}

// loopback mounts a directory at another one until the test ends.
func loopback(t *testing.T, from, at string) {
	t.Helper()
	server := exec.Command(os.Args[0])
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
		assert.Less(t, time.Since(begin), 4*time.Second)
	}
	write(t, from+"/p/b.jsonl", headerLine)
	shows(t, s, "p/a.jsonl", "p/b.jsonl")
	require.NoError(t, os.RemoveAll(from+"/p"))
	shows(t, s)
}
