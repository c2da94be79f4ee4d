package fs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// burst is how many entries a label of TestKill is put on at once, in one write of
// many pages: such a one can be killed in its middle.
const burst = 400

// TestKill kills the daemon at random moments while a shell and a program write
// through the mount. All of them come to an end. What was acknowledged to them is in
// the file, at most one line is torn, and the next mount's first write stands on a line
// of its own.
func TestKill(t *testing.T) {
	rounds := 20
	if long() {
		rounds = 1000
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("PIFS_KILL_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	acknowledged, torn := 0, 0
	for round := range rounds {
		k := newKill(t, Options{NoSync: round%2 == 1})
		k.run(time.Duration(rng.IntN(40_000)) * time.Microsecond)
		acknowledged += k.echoes + k.names + k.labels
		torn += k.check()
		k.writeAgain()
	}
	t.Logf("seed %d: %d rounds, %d changes acknowledged, %d lines torn", seed, rounds, acknowledged, torn)
}

// A kill is a round of TestKill.
type kill struct {
	t       *testing.T
	options Options
	file    string
	at      string
	before  []byte

	echoes, names, labels int // acknowledged changes, of each kind one after the other
}

func newKill(t *testing.T, o Options) *kill {
	store := t.TempDir()
	k := &kill{t: t, options: o, file: filepath.Join(store, "s.jsonl"), at: t.TempDir()}
	lines := make([]string, burst)
	for i := range lines {
		lines[i] = userLine(burstID(i), "", "q")
	}
	writeSession(t, k.file, "1", "/p", "", lines...)
	var err error
	k.before, err = os.ReadFile(k.file)
	require.NoError(t, err)
	return k
}

func burstID(i int) string { return fmt.Sprintf("%08x", i) }

func (k *kill) path(name ...string) string {
	return filepath.Join(append([]string{k.at, "p/s"}, name...)...)
}

// run has the writers write until the daemon is killed, a while after it was mounted.
func (k *kill) run(after time.Duration) {
	daemon := serve(k.t, k.at, k.options, filepath.Dir(k.file))
	var writers sync.WaitGroup
	writers.Go(k.writeNames)
	writers.Go(k.writeLabels)
	writers.Go(k.echo)
	time.Sleep(after)
	require.NoError(k.t, daemon.Process.Kill())
	if !assert.EqualError(k.t, waitFor(daemon), "signal: killed") {
		// A thread of it waits for an answer of its own, and all others with it. This
		// ends that, though it says that the mount is busy.
		_ = syscall.Unmount(k.at, syscall.MNT_FORCE)
	}
	writers.Wait()
	require.NoError(k.t, syscall.Unmount(k.at, syscall.MNT_DETACH))
}

// echo is a shell that writes names. It passes over what closing a file answers: that
// the file is there still says that the daemon has lived to answer it.
func (k *kill) echo() {
	const script = `cd "$1" && while echo "echo $((++i))" > name && [ -e name ]; do echo; done`
	out, _ := exec.Command("bash", "-c", script, "bash", k.path()).Output()
	k.echoes = len(out)
}

func (k *kill) writeNames() {
	for k.write(nameName, fmt.Sprintf("name %d\n", k.names+1)) {
		k.names++
	}
}

// writeLabels writes the longest labels there are on as many entries as one write
// takes.
func (k *kill) writeLabels() {
	var ids strings.Builder
	for i := range burst {
		ids.WriteString(burstID(i) + "\n")
	}
	for k.write(filepath.Join(nameLabels, burstLabel(k.labels+1)), ids.String()) {
		k.labels++
	}
}

func burstLabel(n int) string { return fmt.Sprint("label ", n, " ", strings.Repeat("x", 180)) }

// write writes a file. It returns false once the daemon is dead.
func (k *kill) write(name, text string) bool {
	err := os.WriteFile(k.path(name), []byte(text), 0o644)
	if err != nil && !slices.ContainsFunc(dead, func(errno syscall.Errno) bool { return errors.Is(err, errno) }) {
		assert.NoError(k.t, err)
	}
	return err == nil
}

// dead is what the kernel answers for a daemon that is dead: EIO if it died while a
// request was being handed to it.
var dead = []syscall.Errno{syscall.ENOTCONN, syscall.ECONNABORTED, syscall.EIO}

// check looks at the file, and returns how many of its lines are torn.
func (k *kill) check() (torn int) {
	text, err := os.ReadFile(k.file)
	require.NoError(k.t, err)
	added, ok := bytes.CutPrefix(text, k.before)
	require.True(k.t, ok, "bytes that were there have changed")
	names, labels := make(map[string]int), make(map[string]int)
	for line := range strings.Lines(string(added)) {
		var e struct{ Name, Label string }
		if json.Unmarshal([]byte(line), &e) != nil {
			torn++
			continue
		}
		names[e.Name]++
		labels[e.Label]++
	}
	require.LessOrEqual(k.t, torn, 1)
	for i := range k.names {
		require.Equal(k.t, 1, names[fmt.Sprint("name ", i+1)], "name %d of %d", i+1, k.names)
	}
	for i := range k.echoes {
		require.Equal(k.t, 1, names[fmt.Sprint("echo ", i+1)], "echo %d of %d", i+1, k.echoes)
	}
	for i := range k.labels {
		require.Equal(k.t, burst, labels[burstLabel(i+1)], "label %d of %d", i+1, k.labels)
	}
	return torn
}

// writeAgain mounts once more and writes.
func (k *kill) writeAgain() {
	was, err := os.ReadFile(k.file)
	require.NoError(k.t, err)
	daemon := serve(k.t, k.at, k.options, filepath.Dir(k.file))
	require.NoError(k.t, os.WriteFile(k.path(nameName), []byte("after\n"), 0o644))
	name, err := os.ReadFile(k.path(nameName))
	require.NoError(k.t, err)
	assert.Equal(k.t, "after\n", string(name))
	require.NoError(k.t, daemon.Process.Signal(syscall.SIGTERM))
	require.NoError(k.t, waitFor(daemon))

	now, err := os.ReadFile(k.file)
	require.NoError(k.t, err)
	added, ok := bytes.CutPrefix(now, was)
	require.True(k.t, ok)
	if !bytes.HasSuffix(was, []byte("\n")) {
		added, ok = bytes.CutPrefix(added, []byte("\n"))
		require.True(k.t, ok, "the torn line is not ended")
	}
	require.True(k.t, json.Valid(added), "%s", added)
}
