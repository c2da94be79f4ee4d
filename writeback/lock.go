package writeback

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// LockWait is how long an append waits for the flock of another pifs, which holds
// it for the few milliseconds of one append or the seconds of a large migration.
const LockWait = 10 * time.Second

// ForeignLockAge is how long another program's lock file counts after it was last
// touched. The proper-lockfile package, which pi and its relatives use, touches
// its <file>.lock every five seconds and takes one of ten seconds for dead.
const ForeignLockAge = 10 * time.Second

// waitForLock takes an exclusive flock on f. It asks again and again instead of
// waiting in the kernel, where a thread could be stuck for as long as another
// program likes. On a file system without flock it does nothing: O_APPEND alone
// keeps lines whole, the lock only keeps parents and labels exact.
func (w writer) waitForLock(path string, f *os.File) error {
	deadline := time.Now().Add(LockWait)
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		err := w.fs.TryLock(OpLock, f)
		switch {
		case err == nil || unsupported(err) || errors.Is(err, unix.ENOLCK):
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK):
			return fmt.Errorf("%s: flock: %w", path, err)
		case time.Now().After(deadline):
			return fmt.Errorf("%s: %w: no flock in %s", path, ErrBusy, LockWait)
		}
		time.Sleep(pause)
	}
}

// foreignLock returns ErrBusy if another program has just locked the session file
// in the way of the npm world, with a file or directory called <file>.lock.
func (w writer) foreignLock(path string) error {
	lock := path + ".lock"
	id, err := w.fs.StatPath(OpForeign, lock)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", lock, err)
	}
	if age := time.Since(time.Unix(0, id.MtimeNS)); age < ForeignLockAge {
		return fmt.Errorf("%w: %s is there since %s", ErrBusy, lock, age.Round(time.Millisecond))
	}
	return nil
}
