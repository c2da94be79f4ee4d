package writeback_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// A pi is a process that makes calls on the real pi's SessionManager.
type pi struct {
	t       testing.TB
	in      io.WriteCloser
	answers *bufio.Reader
}

// oracle returns the path of the script that runs the real pi.
func oracle(t testing.TB) string {
	t.Helper()
	needs.Pi(t)
	return filepath.Join(needs.Module(t), "scripts", "oracle", "run")
}

// startPi runs a command of scripts/oracle that reads calls and answers them.
func startPi(t testing.TB, args ...string) *pi {
	t.Helper()
	cmd := exec.Command(oracle(t), args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &pi{t, in, bufio.NewReaderSize(out, 1<<20)}
}

// askPi returns what a command of scripts/oracle prints.
func askPi(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(oracle(t), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	return out
}

// call makes a call and returns the answer, a JSON object with ok or error.
func (p *pi) call(method string, args ...any) []byte {
	p.t.Helper()
	p.send(method, args...)
	return p.answer()
}

func (p *pi) send(method string, args ...any) {
	p.t.Helper()
	_, err := p.in.Write(encode(append([]any{method}, args...)))
	require.NoError(p.t, err)
}

func (p *pi) answer() []byte {
	p.t.Helper()
	line, err := p.answers.ReadBytes('\n')
	require.NoError(p.t, err)
	return line
}
