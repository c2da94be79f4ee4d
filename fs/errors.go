package fs

import (
	"errors"
	iofs "io/fs"
	"syscall"

	"github.com/pifs/pifs/writeback"
)

// Errors of looking nodes up.
var (
	// ErrNotExist says that a directory has no such name.
	ErrNotExist = iofs.ErrNotExist
	// ErrStale says that what a node stood for is gone: its session was
	// replaced or deleted, or newer versions have pushed this one out.
	ErrStale = errors.New("stale node")
)

// Errors of changing the tree. What is wrong with a session or a text is told by
// the errors of package writeback.
var (
	// ErrNotPermitted says that the tree offers no such change.
	ErrNotPermitted = errors.New("not permitted here")
	// ErrReadOnly says that the whole tree is read only.
	ErrReadOnly = errors.New("mounted read only")
	// ErrExists says that a new name is taken.
	ErrExists = iofs.ErrExist
)

// errnos are the errors of this package and what programs are told of them.
var errnos = []struct {
	err   error
	errno syscall.Errno
}{
	{ErrNotExist, syscall.ENOENT},
	{ErrStale, syscall.ESTALE},
	{ErrNotPermitted, syscall.EPERM},
	{ErrReadOnly, syscall.EROFS},
	{ErrExists, syscall.EEXIST},
}

// Errno returns the error number that says best what err means, 0 for nil: that
// of an error of this package, else what package writeback makes of it.
func Errno(err error) syscall.Errno {
	for _, row := range errnos {
		if errors.Is(err, row.err) {
			return row.errno
		}
	}
	return writeback.Errno(err)
}
