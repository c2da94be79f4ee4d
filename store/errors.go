package store

import "errors"

// Errors of opening and reading a store.
var (
	ErrNoStore  = errors.New("no session store")
	ErrReplaced = errors.New("session file was replaced, truncated or deleted")
)
