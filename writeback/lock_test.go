package writeback_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// TestLockWait gives up on a lock that another pifs holds for too long.
func TestLockWait(t *testing.T) {
	t.Parallel()
	s := stored(t, small)
	begin := time.Now()
	err := writeback.Append(s, writeback.Options{FS: &faults{at: writeback.OpLock, err: syscall.EWOULDBLOCK}}, writeback.SetName("n"))
	require.ErrorIs(t, err, writeback.ErrBusy)
	assert.GreaterOrEqual(t, time.Since(begin), writeback.LockWait)
	assert.Equal(t, small, read(t, s.Path))
}
