package command

import "errors"

// The exit codes, for scripts. A code once given keeps its meaning.
const (
	ExitOK         = 0
	ExitFailed     = 1 // anything that has no code of its own
	ExitUsage      = 2
	ExitStore      = 3
	ExitMountpoint = 4
	ExitMount      = 5
	ExitProblems   = 6
	ExitBusy       = 7
)

// exitMeanings says in the help what each code means.
var exitMeanings = [...]string{
	ExitOK:         "done",
	ExitFailed:     "failed",
	ExitUsage:      "usage: unknown command, flag or argument",
	ExitStore:      "the session store is missing or can't be read",
	ExitMountpoint: "the mountpoint can't be used, or what export is to write is in the store",
	ExitMount:      "the system refused to mount",
	ExitProblems:   "check found problems",
	ExitBusy:       "unmount: someone is inside",
}

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
