package writeback

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/pifs/pifs/store"
)

// Errors of what was asked for, found before a file is touched.
var (
	ErrUnknownEntry = errors.New("no such entry")
	ErrText         = errors.New("text is not valid UTF-8")
	ErrTooLong      = errors.New("text is longer than 4096 bytes")
	ErrNotJSON      = errors.New("value is not JSON")
	ErrSessionID    = errors.New("session id must be letters, digits, '-', '_' and '.', with a letter or digit at both ends")
	ErrReplacement  = errors.New("replacement must be null or have a content that is a string or an array")
	ErrNotOnBranch  = errors.New("entry is not on the current branch")
	ErrNotEditable  = errors.New("entry has no content that a context edit could change")
)

// Errors of a session that cannot be written, or not now.
var (
	ErrReadOnly       = errors.New("session is of a dialect that is read only")
	ErrBusy           = errors.New("session is locked by another program")
	ErrHardLinks      = errors.New("session of an old version has several hard links and cannot be migrated")
	ErrNotSession     = errors.New("file is not a pi session")
	ErrNoConversation = errors.New("session would have no user or assistant message")
)

// Errors that come up while writing.
var (
	ErrStale = errors.New("session file was replaced, truncated or deleted")
)

// errnos is what the system calls of a mount answer. Errors of the kernel keep
// their own number.
var errnos = []struct {
	err   error
	errno syscall.Errno
}{
	{ErrUnknownEntry, syscall.EINVAL},
	{ErrText, syscall.EINVAL},
	{ErrTooLong, syscall.EFBIG},
	{ErrNotJSON, syscall.EINVAL},
	{ErrSessionID, syscall.EINVAL},
	{ErrReplacement, syscall.EINVAL},
	{ErrNotOnBranch, syscall.EINVAL},
	{ErrNotEditable, syscall.EINVAL},
	{ErrReadOnly, syscall.EROFS},
	{ErrBusy, syscall.EBUSY},
	{ErrHardLinks, syscall.EMLINK},
	{ErrNotSession, syscall.EINVAL},
	{ErrNoConversation, syscall.EINVAL},
	{ErrStale, syscall.ESTALE},
	{store.ErrReplaced, syscall.ESTALE},
	{context.Canceled, syscall.EINTR},
	{context.DeadlineExceeded, syscall.ETIMEDOUT},
}

// Errno returns the error number that says best what err means, 0 for nil: that
// of an error of this package, else that of a system call inside err, else EIO.
func Errno(err error) syscall.Errno {
	if err == nil {
		return 0
	}
	for _, row := range errnos {
		if errors.Is(err, row.err) {
			return row.errno
		}
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	if errors.Is(err, fs.ErrNotExist) {
		return syscall.ENOENT
	}
	return syscall.EIO
}
