package writeback_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/oracle"
)

// A pi is a process that makes calls on the real pi's SessionManager.
type pi struct {
	*oracle.Pi
	t testing.TB
}

// startPi runs a command of scripts/oracle that reads calls and answers them.
func startPi(t testing.TB, args ...string) *pi {
	t.Helper()
	return &pi{oracle.Start(t, args...), t}
}

// call makes a call and returns the answer, a JSON object with ok or error.
func (p *pi) call(method string, args ...any) []byte {
	p.t.Helper()
	answer, err := p.Call(method, args...)
	require.NoError(p.t, err)
	return answer
}
