package command

import "errors"

// The exit codes, for scripts. A code once given keeps its meaning.
const (
	ExitOK         = 0 // done
	ExitFailed     = 1 // anything that has no code of its own
	ExitUsage      = 2 // unknown command, flag or argument
	ExitStore      = 3 // the session store is missing or can't be read
	ExitMountpoint = 4 // the mountpoint can't be used
	ExitMount      = 5 // the system refused to mount
	ExitProblems   = 6 // `check` found problems
	ExitBusy       = 7 // `unmount`: someone is inside
)

// codedError is an error with an exit code of its own.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// withCode gives an error an exit code. It returns nil for nil.
func withCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &codedError{code, err}
}

// exitCode returns the exit code of what a command returned.
func exitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &coded):
		return coded.code
	default:
		return ExitFailed
	}
}

// errReported is returned by commands that have said on standard error what
// failed and only have to end with a code.
var errReported = errors.New("failed")
