package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
	"github.com/pifs/pifs/cmd/pifs/sample"
	"github.com/pifs/pifs/internal/needs"
)

// These tests run the binary: a process that looks into its own mount can
// deadlock, and what is tested here is the life of a process.

// patience is how long anything may take before a test gives up.
const patience = 20 * time.Second

var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pifs-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil { // for the ordinary user
			panic(err)
		}
		binary = filepath.Join(dir, "pifs")
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// A place is where a test mounts: a home directory of its own, a store, and a
// mountpoint that does not exist yet.
type place struct {
	t                *testing.T
	home, store, dir string
	credential       *syscall.Credential // of another user
	wrapper          []string            // a program that runs pifs
}

func newPlace(t *testing.T) *place {
	t.Helper()
	needs.FUSE(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := &place{t: t, home: filepath.Join(root, "home"), store: filepath.Join(root, "store"), dir: filepath.Join(root, "mnt")}
	require.NoError(t, os.Mkdir(p.home, 0o755))
	require.NoError(t, os.Mkdir(p.store, 0o755))
	require.NoError(t, sample.Write(p.store))
	t.Cleanup(p.leavesNothing)
	return p
}

// leavesNothing ends what the test has left, and fails it for that.
func (p *place) leavesNothing() {
	if fsType := p.mounted(); fsType != "" {
		p.t.Errorf("%s is still mounted (%s)", p.dir, fsType)
		if err := syscall.Unmount(p.dir, syscall.MNT_DETACH); err != nil {
			p.t.Error(err)
		}
	}
	// A daemon may still be cleaning up after its mount has gone.
	assert.Eventually(p.t, func() bool { return len(p.daemons()) == 0 }, patience, 5*time.Millisecond, "a daemon is left")
	for _, process := range p.daemons() {
		process.Kill()
	}
	assert.Empty(p.t, p.samples(), "a temporary sample is left")
}

// daemons returns the processes of our binary that have the place as their home.
func (p *place) daemons() (running []*os.Process) {
	processes, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(p.t, err)
	for _, dir := range processes {
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || !bytes.HasPrefix(line, []byte(binary+"\x00")) {
			continue
		}
		environment, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.HasPrefix(environment, []byte("HOME="+p.home+"\x00")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		require.NoError(p.t, err)
		if process, err := os.FindProcess(pid); err == nil {
			running = append(running, process)
		}
	}
	return running
}

// mounted returns the type of what is mounted at the place, "" if nothing is.
func (p *place) mounted() string {
	info, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(p.t, err)
	for line := range strings.Lines(string(info)) {
		if fields := strings.Fields(line); fields[4] == p.dir {
			_, after, _ := strings.Cut(line, " - ")
			kind, _, _ := strings.Cut(after, " ")
			return kind
		}
	}
	return ""
}

func (p *place) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p.t.Cleanup(cancel)
	all := append(append([]string{}, p.wrapper...), binary)
	all = append(all, args...)
	cmd := exec.CommandContext(ctx, all[0], all[1:]...)
	cmd.Env = []string{"HOME=" + p.home, "TMPDIR=" + p.home, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = p.home
	if p.credential != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.credential}
	}
	return cmd
}

// run runs pifs until it ends, and returns its exit code and what it printed.
func (p *place) run(args ...string) (code int, output string) {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(p.t, err)
	}
	if exit != nil {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

func (p *place) ok(args ...string) (output string) {
	p.t.Helper()
	code, output := p.run(args...)
	require.Equal(p.t, command.ExitOK, code, "pifs %s: %s", strings.Join(args, " "), output)
	return output
}

// names lists a directory in the mount.
func (p *place) names(path string) (names []string) {
	p.t.Helper()
	entries, err := os.ReadDir(filepath.Join(p.dir, path))
	require.NoError(p.t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

var projects = []string{"home-ada-garden", "home-ada-weather"}

func TestMount(t *testing.T) {
	p := newPlace(t)
	output := p.ok("mount", "--store", p.store, p.dir)
	assert.Contains(t, output, "4 sessions at "+p.dir)
	assert.Equal(t, "fuse.pifs", p.mounted(), "mounted when the command returns")
	assert.Equal(t, projects, p.names("."))
	context, err := os.ReadFile(filepath.Join(p.dir, "home-ada-weather/latest/current/context.md"))
	require.NoError(t, err)
	assert.Contains(t, string(context), "Too Many Requests")

	daemons := p.daemons()
	require.Len(t, daemons, 1)
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", daemons[0].Pid))
	require.NoError(t, err)
	assert.Equal(t, "/", cwd, "the daemon stands in nobody's way")
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", daemons[0].Pid))
	require.NoError(t, err)
	assert.Equal(t, "pifs\n", string(name), "as ps and pgrep show it")

	assert.Empty(t, p.ok("unmount", p.dir))
	assert.Empty(t, p.mounted())
	assert.NoDirExists(t, p.dir, "what was created is removed when the command returns")
}

// TestLooksIntoAMount: ls and cat take paths in a mount, whatever it shows.
func TestLooksIntoAMount(t *testing.T) {
	p := newPlace(t)
	p.ok("mount", "--store", p.store, p.dir)
	assert.Equal(t, strings.Join(projects, "\n")+"\n", p.ok("ls", p.dir))
	weather := filepath.Join(p.dir, "home-ada-weather")
	assert.Equal(t, "Believe Retry-After\nCache the forecast\n", p.ok("ls", weather+"/by-title/"))
	assert.Equal(t, "Believe Retry-After\n", p.ok("cat", weather+"/latest/name"))
	assert.Contains(t, p.ok("ls", "-l", weather), " latest -> 2025-11-04")
	code, output := p.run("cat", weather+"/latest")
	assert.Equal(t, command.ExitFailed, code)
	assert.Contains(t, output, weather+"/latest is a directory")

	assert.True(t, strings.HasPrefix(p.ok("__complete", "ls", weather+"/la"), ":0\n"), "the shell completes paths in a mount")

	link := filepath.Join(p.home, "link")
	require.NoError(t, os.Symlink(weather, link))
	assert.Equal(t, link+"/cwd\n", p.ok("ls", link+"/cwd"))
	inside := p.command("cat", "name")
	inside.Dir = weather + "/latest"
	printed, err := inside.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	assert.Equal(t, "Believe Retry-After\n", string(printed))
	p.ok("unmount", p.dir)
}

// TestStoreThatLeadsToItsMount: a daemon that looked into its own mount would wait
// for itself.
func TestStoreThatLeadsToItsMount(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.Symlink(filepath.Dir(p.dir), filepath.Join(p.store, "around")))
	p.ok("mount", "--store", p.store, p.dir)
	added := filepath.Join(p.store, "added.jsonl")
	require.NoError(t, os.WriteFile(added, []byte(`{"type":"session","version":3,"id":"added","cwd":"/added"}`+"\n"), 0o600))
	answers := make(chan bool)
	go func() {
		for !exists(filepath.Join(p.dir, "added/added/info.json")) {
			time.Sleep(5 * time.Millisecond)
		}
		answers <- true
	}()
	select {
	case <-answers:
		assert.Equal(t, append([]string{"added"}, projects...), p.names("."))
		skipped, err := os.ReadFile(filepath.Join(p.dir, ".pifs/skipped"))
		require.NoError(t, err)
		assert.Contains(t, string(skipped), "around/mnt: a mount of pifs")
		p.ok("unmount", p.dir)
	case <-time.After(patience):
		t.Error("the daemon waits for itself")
		for _, process := range p.daemons() {
			process.Kill()
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestMountKeepsAMountpointThatWasThere(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.Mkdir(p.dir, 0o755))
	p.ok("mount", "--store", p.store, p.dir)
	p.ok("unmount", p.dir)
	assert.Empty(t, p.daemons())
	assert.DirExists(t, p.dir)
}

// TestUnmountWaitsForTheDaemon: what it cleans up is gone, and it can be mounted again.
func TestUnmountWaitsForTheDaemon(t *testing.T) {
	p := newPlace(t)
	for range 5 {
		p.ok("mount", "--sample", p.dir)
		assert.Empty(t, p.ok("unmount", p.dir))
		assert.Empty(t, p.daemons())
		assert.Empty(t, p.samples())
		assert.NoDirExists(t, p.dir)
	}
}

// TestUnmountDoesNotWaitLong: a daemon that does not end is no failure.
func TestUnmountDoesNotWaitLong(t *testing.T) {
	p := newPlace(t)
	p.ok("mount", "--store", p.store, p.dir)
	daemon := p.daemons()[0]
	require.NoError(t, daemon.Signal(syscall.SIGSTOP))
	assert.Empty(t, p.ok("unmount", "--lazy", p.dir))
	assert.Empty(t, p.mounted())
	require.NoError(t, daemon.Signal(syscall.SIGCONT))
}

// TestMountLetsGoOfItsOutput: `pifs mount | cat` ends.
func TestMountLetsGoOfItsOutput(t *testing.T) {
	p := newPlace(t)
	cmd := p.command("mount", "--store", p.store, p.dir)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	output, err := io.ReadAll(stdout)
	require.NoError(t, err)
	assert.Contains(t, string(output), p.dir)
	require.NoError(t, cmd.Wait())
	p.ok("unmount", p.dir)
}

func TestMountShowsTheSampleWhereThereIsNoStore(t *testing.T) {
	p := newPlace(t)
	p.dir = filepath.Join(p.home, "pi-sessions")
	output := p.ok("mount")
	assert.Contains(t, output, "There is no pi session store at "+filepath.Join(p.home, ".pi/agent/sessions"))
	assert.Contains(t, output, "showing a sample")
	assert.Contains(t, output, "changed in the sample is lost")
	assert.Equal(t, projects, p.names("."))
	p.ok("unmount")
}

// samples returns the sample's temporary directories.
func (p *place) samples() []string {
	p.t.Helper()
	samples, err := filepath.Glob(filepath.Join(p.home, "pifs-sample-*"))
	require.NoError(p.t, err)
	return samples
}

// diedOf returns the signal that ended a process.
func diedOf(t *testing.T, err error) syscall.Signal {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	return exit.Sys().(syscall.WaitStatus).Signal()
}

// TestSampleIsRemovedAtABrokenPipe: `pifs ls --sample | head -1` leaves nothing.
func TestSampleIsRemovedAtABrokenPipe(t *testing.T) {
	p := newPlace(t)
	for _, args := range [][]string{{"list"}, {"ls"}, {"ls", "*/*"}, {"cat", "*/cwd"}, {"check"}} {
		cmd := p.command(append(args, "--sample")...)
		read, write, err := os.Pipe()
		require.NoError(t, err)
		read.Close()
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = write, &stderr
		assert.Equal(t, syscall.SIGPIPE, diedOf(t, cmd.Run()), args)
		write.Close()
		assert.Empty(t, stderr.String(), args)
		assert.Empty(t, p.samples(), args)
	}
}

// TestSampleIsRemovedAtASignal: Ctrl-C leaves nothing.
func TestSampleIsRemovedAtASignal(t *testing.T) {
	p := newPlace(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		args := []string{"cat", "--sample"}
		for range 100 {
			args = append(args, "*/2*/transcript.md") // more than fits into a pipe
		}
		cmd := p.command(args...)
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.ReadFull(stdout, make([]byte, 1))
		require.NoError(t, err)
		assert.Len(t, p.samples(), 1)
		require.NoError(t, cmd.Process.Signal(signal))
		assert.Equal(t, signal, diedOf(t, cmd.Wait()))
		assert.Empty(t, p.samples(), signal)
	}
}

// TestIgnoredSignalsStayIgnored: as under nohup.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	p := newPlace(t)
	p.wrapper = []string{"sh", "-c", `trap "" INT; exec "$@"`, "sh"}
	args := []string{"cat", "--sample"}
	for range 100 {
		args = append(args, "*/2*/transcript.md")
	}
	cmd := p.command(args...)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(stdout, make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	_, err = io.Copy(io.Discard, stdout)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
}

// TestSampleOfTheDead: the next sample removes what a killed mount has left, and not
// what is in use.
func TestSampleOfTheDead(t *testing.T) {
	p := newPlace(t)
	p.ok("mount", "--sample", p.dir)
	p.ok("ls", "--sample")
	assert.Len(t, p.samples(), 1, "in use")
	assert.Equal(t, projects, p.names("."))
	require.NoError(t, p.daemons()[0].Kill())
	assert.Eventually(t, func() bool { // what it had open is closed a little later
		p.ok("ls", "--sample")
		return len(p.samples()) == 0
	}, patience, time.Millisecond)
	p.ok("unmount", p.dir)
}

// TestRecipes runs those of the README, one after the other, as they stand there.
func TestRecipes(t *testing.T) {
	for _, program := range []string{"bash", "rg", "jq", "less", "tar", "timeout"} {
		needs.Program(t, program)
	}
	page, err := os.ReadFile(filepath.Join(needs.Module(t), "README.md"))
	require.NoError(t, err)
	_, recipes, found := strings.Cut(string(page), "\n## Recipes\n")
	require.True(t, found)
	recipes, _, _ = strings.Cut(recipes, "\n## ")
	p := newPlace(t)
	p.dir = filepath.Join(p.home, "pi-sessions")
	p.ok("mount", "--sample")
	var script strings.Builder
	for line := range strings.Lines(recipes) {
		line, isCommand := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    ")
		switch {
		case !isCommand:
			continue
		case strings.HasPrefix(line, "tail -f"):
			line = "timeout 0.5 " + line + "; (($? == 124))"
		case strings.HasPrefix(line, "diff"):
			line += "; (($? == 1))"
		}
		line = strings.ReplaceAll(line, "/tmp", p.home+"/tmp")
		fmt.Fprintf(&script, "%s\nsay $? <<'LINE'\n%s\nLINE\n", line, line)
	}
	require.NoError(t, os.Mkdir(filepath.Join(p.home, "tmp"), 0o755))
	cmd := p.command()
	cmd.Path, cmd.Args = needs.Program(t, "bash"), []string{"bash", "-uc", "say() { (($1 == 0)) || sed 's/^/FAILED: /'; }\n" + script.String()}
	cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8")
	printed, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	for line := range strings.Lines(string(printed)) {
		assert.False(t, strings.HasPrefix(line, "FAILED: "), line)
	}
	for _, part := range []string{"Too Many Requests", "\n+", "home-ada-weather/ 0.", "files.txt", "\n056a7bea\n"} {
		assert.Contains(t, string(printed), part)
	}
	assert.FileExists(t, filepath.Join(p.home, "tmp/sessions.tgz"))
	p.ok("unmount")
}

func TestMountPrefersTheStoreThatIsThere(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.MkdirAll(filepath.Join(p.home, ".pi/agent/sessions"), 0o700))
	output := p.ok("mount", p.dir)
	assert.Contains(t, output, "No *.jsonl was found in "+filepath.Join(p.home, ".pi/agent/sessions")+".\n")
	assert.Contains(t, output, "0 sessions at")
	assert.Empty(t, p.names("."))
	p.ok("unmount", p.dir)
}

func TestMountReadOnly(t *testing.T) {
	p := newPlace(t)
	output := p.ok("mount", "--read-only", "--allow-delete", "--store", p.store, p.dir)
	assert.NotContains(t, output, "rmdir")
	name := filepath.Join(p.dir, "home-ada-weather/latest/name")
	assert.ErrorIs(t, os.WriteFile(name, []byte("x\n"), 0o600), syscall.EROFS)
	p.ok("unmount", p.dir)
}

// TestDebug: requests are logged where someone stays to read them.
func TestDebug(t *testing.T) {
	p := newPlace(t)
	output := p.ok("mount", "--debug", "--store", p.store, p.dir)
	assert.Contains(t, output, "profiles: curl --unix-socket "+p.home+"/pifs-debug-")
	assert.Equal(t, 2, strings.Count(output, "\n"), output)
	p.ok("unmount", p.dir)
	f := p.foreground("--debug")
	p.ok("unmount", p.dir)
	f.wait(t)
	assert.Contains(t, f.stderr.String(), "rx 2: ")
}

// TestMountSaysHowItDeletes: with and without a trash.
func TestMountSaysHowItDeletes(t *testing.T) {
	p := newPlace(t)
	t.Setenv("PATH", p.home)
	assert.Contains(t, p.ok("mount", "--allow-delete", "--store", p.store, p.dir), "deletes its file for good")
	p.ok("unmount", p.dir)
	require.NoError(t, os.WriteFile(filepath.Join(p.home, "trash"), []byte("#!/bin/sh\n"), 0o755))
	assert.Contains(t, p.ok("mount", "--allow-delete", "--store", p.store, p.dir), "moves its file to the trash")
	p.ok("unmount", p.dir)
}

func TestMountRefusals(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.Mkdir(filepath.Join(p.home, "full"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(p.home, "full/file"), nil, 0o600))
	p.ok("mount", "--store", p.store, p.dir)
	for _, tt := range []struct {
		name    string
		args    []string
		code    int
		message string
	}{
		{"mounted already", []string{"--store", p.store, p.dir}, command.ExitMountpoint, "is mounted on " + p.dir + " already"},
		{"no store", []string{"--store", "/no/such/store", "m"}, command.ExitStore, "no session store: /no/such/store does not exist"},
		{"itself", []string{"--store", p.dir, "m"}, command.ExitStore, p.dir + " is in a mount of pifs"},
		{"a part of itself", []string{"--store", p.dir + "/home-ada-weather", "m"}, command.ExitStore, "is in a mount of pifs"},
		{"not empty", []string{"--store", p.store, "full"}, command.ExitMountpoint, "not empty"},
		{"a file", []string{"--store", p.store, "full/file"}, command.ExitMountpoint, "not a directory"},
		{"missing parent", []string{"--store", p.store, "a/b/c"}, command.ExitMountpoint, "pifs: the mountpoint's directory is missing: mkdir -p " + p.home + "/a/b\n"},
		{"in the store", []string{"--store", p.store, p.store}, command.ExitMountpoint, "inside the session store"},
		{"usage", []string{"--no-such-flag"}, command.ExitUsage, "unknown flag"},
	} {
		for _, mode := range []string{"background", "foreground"} {
			args := append([]string{"mount"}, tt.args...)
			if mode == "foreground" {
				args = append(args, "-f")
			}
			code, output := p.run(args...)
			assert.Equal(t, tt.code, code, "%s %s: %s", tt.name, mode, output)
			assert.Contains(t, output, tt.message, tt.name)
			assert.Equal(t, 1, strings.Count(output, "pifs:"), "%s: said once: %s", tt.name, output)
		}
	}
	assert.NoDirExists(t, filepath.Join(p.home, "m"))
	assert.Equal(t, projects, p.names("."), "the first mount is untouched")
	p.ok("unmount", p.dir)
}

// A foreground is a `pifs mount -f` that has said that it is ready.
type foreground struct {
	*exec.Cmd
	stderr *bytes.Buffer
	ended  chan error
}

func (p *place) foreground(args ...string) *foreground {
	p.t.Helper()
	f := &foreground{Cmd: p.command(append([]string{"mount", "-f", "--store", p.store, p.dir}, args...)...), stderr: new(bytes.Buffer), ended: make(chan error, 1)}
	address := filepath.Join(p.home, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
	require.NoError(p.t, err)
	defer conn.Close()
	f.Env = append(f.Env, "NOTIFY_SOCKET="+address)
	f.Stderr = f.stderr
	require.NoError(p.t, f.Start())
	go func() { f.ended <- f.Wait() }()
	require.NoError(p.t, conn.SetReadDeadline(time.Now().Add(patience)))
	state := make([]byte, 100)
	n, err := conn.Read(state)
	require.NoError(p.t, err, "no word that it is ready: %s", f.stderr)
	require.Equal(p.t, "READY=1", string(state[:n]))
	require.Equal(p.t, "fuse.pifs", p.mounted())
	return f
}

// wait waits for the process to end by itself, and returns its exit code.
func (f *foreground) wait(t *testing.T) int {
	t.Helper()
	select {
	case err := <-f.ended:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		require.NoError(t, err)
		return 0
	case <-time.After(patience):
		f.Process.Kill()
		t.Fatal("it does not end")
		return -1
	}
}

func TestForegroundEndsBySignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			p := newPlace(t)
			f := p.foreground()
			require.NoError(t, f.Process.Signal(signal))
			assert.Equal(t, command.ExitOK, f.wait(t), f.stderr)
			assert.Empty(t, p.mounted())
			assert.NoDirExists(t, p.dir)
			assert.Empty(t, f.stderr.String())
		})
	}
}

func TestForegroundEndsWithItsMount(t *testing.T) {
	p := newPlace(t)
	f := p.foreground()
	p.ok("unmount", p.dir)
	assert.Equal(t, command.ExitOK, f.wait(t))
}

// TestBusyMountIsDetached: those who are inside keep what they have, nobody else
// sees it, and it ends with them.
func TestBusyMountIsDetached(t *testing.T) {
	p := newPlace(t)
	f := p.foreground()
	inside, err := os.Open(filepath.Join(p.dir, "home-ada-weather/latest/transcript.md"))
	require.NoError(t, err)
	defer inside.Close()

	code, output := p.run("unmount", p.dir)
	assert.Equal(t, command.ExitBusy, code)
	assert.Contains(t, output, fmt.Sprintf("(process %d)", os.Getpid()))

	require.NoError(t, f.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool { return p.mounted() == "" }, patience, time.Millisecond)
	text, err := io.ReadAll(inside)
	require.NoError(t, err, "what is open can be read")
	assert.Contains(t, string(text), "Too Many Requests")
	select {
	case err := <-f.ended:
		t.Fatal("ended while someone is inside", err, f.stderr)
	default:
	}
	require.NoError(t, inside.Close())
	assert.Equal(t, command.ExitOK, f.wait(t))
	assert.Contains(t, f.stderr.String(), fmt.Sprintf("(process %d)", os.Getpid()))
	assert.NoDirExists(t, p.dir)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	p := newPlace(t)
	f := p.foreground()
	inside, err := os.Open(filepath.Join(p.dir, "home-ada-weather/latest/transcript.md"))
	require.NoError(t, err)
	defer inside.Close()
	require.NoError(t, f.Process.Signal(syscall.SIGINT))
	require.Eventually(t, func() bool { return p.mounted() == "" }, patience, time.Millisecond)
	require.NoError(t, f.Process.Signal(syscall.SIGINT))
	assert.Equal(t, command.ExitOK, f.wait(t))
	assert.Empty(t, p.mounted(), "never a mount with a dead process")
}

func TestUnmountLazily(t *testing.T) {
	p := newPlace(t)
	p.ok("mount", "--store", p.store, p.dir)
	inside, err := os.Open(filepath.Join(p.dir, "home-ada-weather/cwd"))
	require.NoError(t, err)
	p.ok("unmount", "--lazy", p.dir)
	assert.Empty(t, p.mounted())
	assert.Len(t, p.daemons(), 1)
	require.NoError(t, inside.Close())
}

// TestUnmountFromInside: that pifs itself begins there is no hindrance.
func TestUnmountFromInside(t *testing.T) {
	p := newPlace(t)
	p.ok("mount", "--store", p.store, p.dir)
	inside := p.command("unmount", "..")
	inside.Dir = filepath.Join(p.dir, "home-ada-weather")
	output, err := inside.CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.Empty(t, p.mounted())
}

func TestUnmountRefusals(t *testing.T) {
	p := newPlace(t)
	code, output := p.run("unmount", p.home)
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Contains(t, output, "nothing is mounted on "+p.home)
	code, output = p.run("unmount", "a/b/c")
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Equal(t, "pifs: nothing is mounted on "+p.home+"/a/b/c\n", output)
	code, output = p.run("unmount", "/proc")
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Contains(t, output, "not pifs")
	p.ok("mount", "--store", p.store, p.dir)
	code, output = p.run("unmount", p.dir+"/home-ada-weather/latest")
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Equal(t, "pifs: "+p.dir+"/home-ada-weather/latest is inside the mount at "+p.dir+": pifs unmount "+p.dir+"\n", output)
	p.ok("unmount", p.dir)
}

// TestDeadMount: a killed daemon leaves a mountpoint that answers ENOTCONN.
func TestDeadMount(t *testing.T) {
	p := newPlace(t)
	die := func() {
		p.ok("mount", "--store", p.store, p.dir)
		// The daemon of the mount before may still be cleaning up.
		require.Eventually(t, func() bool { return len(p.daemons()) == 1 }, patience, time.Millisecond)
		_, err := os.Stat(p.dir) // the kernel keeps that, and answers it for the dead
		require.NoError(t, err)
		require.NoError(t, p.daemons()[0].Kill())
		require.Eventually(t, func() bool {
			return errors.Is(syscall.Statfs(p.dir, new(syscall.Statfs_t)), syscall.ENOTCONN)
		}, patience, time.Millisecond)
	}
	die()
	p.ok("mount", "--store", p.store, p.dir)
	assert.Equal(t, projects, p.names("."), "the next mount clears it")
	p.ok("unmount", p.dir)
	die()
	assert.Contains(t, p.ok("doctor", "--sample"), "the daemon of "+p.dir+" is dead: pifs unmount "+p.dir+"\n", "whatever other mounts are dead")
	for _, args := range [][]string{{"ls"}, {"cat"}, {"name"}} {
		for _, path := range []string{p.dir, p.dir + "/home-ada-weather/latest"} {
			if args[0] == "name" && path == p.dir {
				continue // no path of a session
			}
			code, output := p.run(append(args, path)...)
			assert.Equal(t, command.ExitFailed, code, args)
			assert.Equal(t, "pifs: "+path+": the daemon of this mount is dead: pifs unmount "+p.dir+"\n", output, args)
		}
	}
	p.ok("unmount", p.dir)
	assert.Empty(t, p.mounted(), "and so does unmount")
}

// TestOrdinaryUser mounts as nobody, through fusermount3.
func TestOrdinaryUser(t *testing.T) {
	needs.Root(t)
	needs.Fusermount(t)
	p := newPlace(t)
	nobody := uint32(65534)
	p.credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	root := filepath.Dir(p.home)
	for dir := root; dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(dir, info.Mode()|0o055))
	}
	require.NoError(t, filepath.Walk(root, func(path string, _ os.FileInfo, err error) error {
		require.NoError(t, err)
		return os.Lchown(path, int(nobody), int(nobody))
	}))
	p.ok("mount", "--store", p.store, p.dir)
	assert.Equal(t, "fuse.pifs", p.mounted())
	_, err := os.ReadDir(p.dir)
	assert.ErrorIs(t, err, syscall.EACCES, "closed to others, root too")

	closed := filepath.Join(root, "closed")
	require.NoError(t, os.Mkdir(closed, 0o755))
	code, text := p.run("mount", "--store", p.store, closed)
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Equal(t, "pifs: mountpoint "+closed+" must be writable for you: name another directory\n", text)

	assert.Contains(t, p.ok("doctor", "--sample"), "ok       mounts       pifs is mounted on "+p.dir+"\n")
	p.credential.Uid--
	code, text = p.run("unmount", p.dir)
	assert.Equal(t, command.ExitMountpoint, code)
	assert.Equal(t, "pifs: "+p.dir+" was mounted by nobody: only they and root can unmount it\n", text)
	p.credential.Uid = 0
	assert.Contains(t, p.ok("doctor", "--sample"), "pifs is mounted on "+p.dir+" (by nobody)\n")
	p.credential.Uid = nobody

	list := exec.Command("ls", p.dir)
	list.SysProcAttr = &syscall.SysProcAttr{Credential: p.credential}
	output, err := list.CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, "home-ada-garden\nhome-ada-weather\n", string(output))

	code, text = p.run("mount", "--allow-other", "--store", p.store, filepath.Join(p.home, "other"))
	assert.Equal(t, command.ExitMount, code)
	assert.Contains(t, text, "user_allow_other")
	p.ok("unmount", p.dir)
}

// TestMachineLacks mounts on machines that lack something, made with namespaces
// and capabilities.
func TestMachineLacks(t *testing.T) {
	needs.Root(t)
	needs.Program(t, "unshare")
	needs.Program(t, "setpriv")
	for _, tt := range []struct {
		name    string
		wrapper []string
		message string
	}{
		{"device", []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs none /dev && mknod /dev/null c 1 3 && exec "$@"`, "sh"}, "there is no /dev/fuse"},
		{"kernel module", []string{"unshare", "-m", "sh", "-c", `mknod "$HOME/fuse" c 10 254 && mount --bind "$HOME/fuse" /dev/fuse && exec "$@"`, "sh"}, "modprobe fuse"},
		{"capability", []string{"setpriv", "--bounding-set", "-sys_admin", "--"}, "--cap-add SYS_ADMIN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.wrapper = tt.wrapper
			code, output := p.run("mount", "--store", p.store, p.dir)
			assert.Equal(t, command.ExitMount, code, output)
			assert.Contains(t, output, tt.message)
			assert.Contains(t, output, "pifs export", "what to do without")
			assert.NoDirExists(t, p.dir)
		})
	}
}
