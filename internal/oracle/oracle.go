// Package oracle lets tests ask the real pi, by scripts/oracle/run. Where pi is not
// installed it skips them ([needs.Pi]).
package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pifs/pifs/internal/needs"
)

// command returns a command of scripts/oracle/run, and what it will have said on
// its standard error.
func command(t testing.TB, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	needs.Pi(t)
	cmd = exec.Command(filepath.Join(needs.Module(t), "scripts", "oracle", "run"), args...)
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// Ask returns what a command prints.
func Ask(t testing.TB, args ...string) []byte {
	t.Helper()
	return Tell(t, "", args...)
}

// Tell is Ask for a command that reads input.
func Tell(t testing.TB, input string, args ...string) []byte {
	t.Helper()
	cmd, stderr := command(t, args...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle %v: %v: %s", args, err, stderr)
	}
	return out
}

// A Pi is a process of the real pi that makes calls on its SessionManager.
type Pi struct {
	in      io.WriteCloser
	answers *bufio.Reader
}

// Start runs a command that reads calls and answers them, until the test ends.
func Start(t testing.TB, args ...string) *Pi {
	t.Helper()
	cmd, stderr := command(t, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("oracle %v: %v: %s", args, err, stderr)
		}
	})
	return &Pi{in, bufio.NewReaderSize(out, 1<<20)}
}

// Call makes a call and returns what pi answers: a JSON object with ok or error.
func (p *Pi) Call(method string, args ...any) (answer []byte, err error) {
	call, err := json.Marshal(append([]any{method}, args...))
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(call, '\n')); err != nil {
		return nil, err
	}
	return p.answers.ReadBytes('\n')
}
