package fs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/store"
)

// mountVar is the environment variable that makes the test binary a daemon which
// mounts: a process that looks into its own mount can deadlock.
const mountVar = "PIFS_TEST_MOUNT"

// A mountJob is what such a daemon is to do.
type mountJob struct {
	Mountpoint string
	Store      []string
	Options    Options
}

func TestMain(m *testing.M) {
	poison = true
	if job := os.Getenv(mountVar); job != "" {
		if err := runMount(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runMount mounts until it is unmounted or told to stop.
func runMount(text string) error {
	var job mountJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return err
	}
	st, err := store.Open(context.Background(), job.Store, store.Options{Watch: true})
	if err != nil {
		return err
	}
	defer st.Close()
	m, err := New(st, job.Options).Mount(job.Mountpoint, MountOptions{})
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		_ = syscall.Unmount(job.Mountpoint, syscall.MNT_DETACH)
	}()
	fmt.Println("ready")
	m.Wait()
	return nil
}

// mount mounts stores in a process of their own and returns the mountpoint. It is
// unmounted at the end of the test, when nothing must be left of it.
func mount(t testing.TB, o Options, stores ...string) string {
	t.Helper()
	at := t.TempDir()
	daemon := serve(t, at, o, stores...)
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM)
		assert.NoError(t, waitFor(daemon), "the daemon did not end")
		table, err := os.ReadFile("/proc/self/mountinfo")
		require.NoError(t, err)
		assert.NotContains(t, string(table), at)
	})
	return at
}

// serve starts a process that mounts stores at a directory, and returns when they
// are there.
func serve(t testing.TB, at string, o Options, stores ...string) *exec.Cmd {
	t.Helper()
	needs.FUSE(t)
	needs.Root(t) // the daemon's clean-up unmounts by itself; cmd tests others
	for i, dir := range stores {
		abs, err := filepath.Abs(dir)
		require.NoError(t, err)
		stores[i] = abs
	}
	job, err := json.Marshal(mountJob{at, stores, o})
	require.NoError(t, err)
	daemon := exec.Command(os.Args[0])
	daemon.Env = append(os.Environ(), mountVar+"="+string(job))
	daemon.Stderr = os.Stderr
	out, err := daemon.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, daemon.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	return daemon
}

// waitFor waits for a process, but not for ever.
func waitFor(c *exec.Cmd) error {
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		_ = c.Process.Kill()
		return fmt.Errorf("still running")
	}
}

// copyStore copies a store to where it may be written.
func copyStore(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// atRest makes the sessions of a store look as if nobody had written to them for long.
func atRest(t testing.TB, store string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(store, "*.jsonl"))
	require.NoError(t, err)
	for _, file := range files {
		touch(t, file, 1000)
	}
}

// copySession makes a store of one of the edge files.
func copySession(t testing.TB, name string) string {
	t.Helper()
	to := t.TempDir()
	text, err := os.ReadFile(filepath.Join(edgeStore, name+".jsonl"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(to, name+".jsonl"), text, 0o644))
	return to
}

// TestMountShowsTheNodes compares what the kernel shows with the nodes: names,
// types, sizes, inode numbers, dates, modes, links and bytes.
func TestMountShowsTheNodes(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("read only %v", readOnly), func(t *testing.T) {
			o := Options{ReadOnly: readOnly}
			at := mount(t, o, edgeStore, sampleStore)
			tr := newTree(t, o, edgeStore, sampleStore)
			n := compareDir(t, at, tr.Root())
			assert.Greater(t, n, 500)
			assert.Equal(t, n, compareDir(t, at, tr.Root()), "another walk")
		})
	}
}

// compareDir compares a directory of the kernel with a node, all the way down.
func compareDir(t *testing.T, at string, d Dir) (count int) {
	t.Helper()
	list, err := os.ReadDir(at)
	require.NoError(t, err)
	nodes, err := d.Entries()
	require.NoError(t, err)
	byName := make(map[string]Node, len(nodes))
	for _, e := range nodes {
		byName[e.Name] = e.Node
	}
	require.Len(t, list, len(byName), at)
	for _, e := range list {
		path := filepath.Join(at, e.Name())
		n := byName[e.Name()]
		require.NotNil(t, n, path)
		count++
		assert.Equal(t, typeOf(n), e.Type(), path)
		compareNode(t, path, n)
		if sub, ok := n.(Dir); ok {
			count += compareDir(t, path, sub)
		}
	}
	return count
}

func compareNode(t *testing.T, path string, n Node) {
	t.Helper()
	got, err := os.Lstat(path)
	require.NoError(t, err)
	want, err := newInfo(filepath.Base(path), n)
	require.NoError(t, err)
	st := got.Sys().(*syscall.Stat_t)
	assert.Equal(t, n.Ino(), st.Ino, path)
	assert.Equal(t, want.Mode(), got.Mode(), path)
	assert.Equal(t, want.ModTime(), got.ModTime(), path)
	assert.Equal(t, want.Size(), got.Size(), path)
	assert.Equal(t, (got.Size()+511)/512, st.Blocks, path)
	switch n := n.(type) {
	case File:
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		mine := make([]byte, want.Size())
		_, _ = n.ReadAt(mine, 0)
		assert.Equal(t, string(mine), string(text), path)
	case Link:
		target, err := os.Readlink(path)
		require.NoError(t, err)
		mine, err := n.Target()
		require.NoError(t, err)
		assert.Equal(t, mine, target, path)
	}
}

// shell runs a command line in a directory and returns what it prints.
func shell(t testing.TB, dir, name, line string) (out string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, name, "-c", line)
	c.Dir = dir
	// A program that hangs is killed with all that it has started.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	text, err := c.CombinedOutput()
	return strings.TrimRight(string(text), "\n"), err
}

// tail runs `tail -f` until stop is called.
func tail(t testing.TB, path, out string) (stop func()) {
	t.Helper()
	f, err := os.Create(out)
	require.NoError(t, err)
	c := exec.Command("tail", "-n", "+1", "-s", "0.05", "-f", path)
	c.Stdout = f
	require.NoError(t, c.Start())
	return func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		f.Close()
	}
}
