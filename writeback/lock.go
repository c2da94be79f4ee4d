package writeback

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// openLocked opens the file that path names, locks it, and returns which file it
// is.
func (w writer) openLocked(path string) (f *os.File, id ID, err error) {
	for range appendTries {
		f, err = w.fs.Open(OpOpen, path, os.O_RDWR|os.O_APPEND, 0)
		if errors.Is(err, os.ErrNotExist) {
			return nil, ID{}, fmt.Errorf("%s: %w", path, ErrStale)
		}
		if err != nil {
			return nil, ID{}, err
		}
		var named ID
		if id, named, err = w.lock(path, f); err == nil && id.Same(named) {
			return f, id, nil
		}
		// While we waited for the lock its holder has replaced the file.
		_ = w.fs.Close(OpClose, f)
		if err != nil {
			return nil, ID{}, err
		}
	}
	return nil, ID{}, fmt.Errorf("%s: %w", path, ErrStale)
}

// lock waits for the flock on f, and returns what f and path are then.
func (w writer) lock(path string, f *os.File) (id, named ID, err error) {
	if err = w.waitForLock(path, f); err != nil {
		return id, named, err
	}
	if err = w.foreignLock(path); err != nil {
		return id, named, err
	}
	if id, err = w.fs.Stat(OpIdentify, f); err != nil {
		return id, named, fmt.Errorf("%s: %w", path, err)
	}
	named, err = w.statPath(OpNamed, path)
	return id, named, err
}

// statPath tells which file path names, ErrStale if none.
func (w writer) statPath(op Op, path string) (ID, error) {
	named, err := w.fs.StatPath(op, path)
	if errors.Is(err, os.ErrNotExist) {
		err = ErrStale
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return named, err
}

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
// in the way of the npm world, with a file or directory called <file>.lock. Of a
// symbolic link that is the one beside what it points at.
func (w writer) foreignLock(path string) error {
	if err := w.freshLock(path + ".lock"); err != nil {
		return err
	}
	if file, err := filepath.EvalSymlinks(path); err == nil && file != path {
		return w.freshLock(file + ".lock")
	}
	return nil
}

// freshLock returns ErrBusy if there is a lock that its owner has just touched.
func (w writer) freshLock(lock string) error {
	id, err := w.fs.StatPath(OpForeign, lock)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ENAMETOOLONG) {
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
