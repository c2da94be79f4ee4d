package writeback

import (
	"errors"
	"fmt"
	"os"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/store"
	"golang.org/x/sys/unix"
)

// Check returns the error that an Append to s would fail with now, as far as that
// can be known without writing: a dialect that is read only, another program's
// lock, a file that is gone, that the caller may not write to, or that has hard
// links and would have to be migrated, and a disk that has no room for any line. It
// reads nothing.
func Check(s *store.Session) error {
	if err := readable(s); err != nil {
		return err
	}
	w := Options{}.writer()
	id, err := w.statPath(OpNamed, s.Path)
	if err != nil {
		return err
	}
	if err := w.foreignLock(s.Path); err != nil {
		return err
	}
	if id.Links > 1 && old(s) {
		return fmt.Errorf("%s: %w", s.Path, ErrHardLinks)
	}
	if err := accessible(s.Path); err != nil {
		return &os.PathError{Op: "open", Path: s.Path, Err: err}
	}
	return checkRoom(s, shortestLine)
}

// accessible returns the error that opening a file for reading and writing would meet.
func accessible(path string) error {
	// The effective user's right, as open(2) has it, not the real one's.
	err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK|unix.W_OK, unix.AT_EACCESS)
	if err != nil {
		return err
	}
	// Package unix takes EPERM for the refusal of a sandbox that does not know the
	// call, and goes by the mode. Without flags it means that the file is immutable.
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, 0); err == unix.EPERM {
		return err
	}
	return nil
}

// readable returns ErrReadOnly for a dialect that must not be written to.
func readable(s *store.Session) error {
	if why := s.ReadOnly(); why != "" {
		return fmt.Errorf("%s: %w: %s", s.Path, ErrReadOnly, why)
	}
	return nil
}

// stale makes ErrStale of the store's word for it, so that one error means one
// thing.
func stale(err error) error {
	if errors.Is(err, store.ErrReplaced) || errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w (%w)", ErrStale, err)
	}
	return err
}

// old tells whether s has to be migrated before it can be written to.
func old(s *store.Session) bool {
	version, ok := migrate.VersionOf(s.Header())
	return ok && version < migrate.Version
}
