package store

import "errors"

// Errors of opening a store.
var (
	// ErrNoStore means that a directory given to Open does not exist, is no
	// directory, cannot be read, is part of a mount of pifs, or holds the database
	// of another program and no session files.
	ErrNoStore = errors.New("no session store")
)

// Errors of reading a session.
var (
	// ErrReplaced means that the file is not, or not surely, the one that was
	// scanned. The Session will leave the Store; if there is a file at its path
	// again, that is another Session.
	ErrReplaced = errors.New("session file was replaced, truncated or deleted")
	// ErrClosed means that the Store was closed.
	ErrClosed = errors.New("session store is closed")
)
