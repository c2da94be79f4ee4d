package writeback

import (
	"fmt"
	"path/filepath"

	"github.com/pifs/pifs/store"
)

// ForkFrom makes a new session for the directory cwd with all entries of the
// session file source, and opens it: pi's forkFrom. The source is not touched. One
// of an old version is migrated in the copy; pi would leave it without ids there.
func ForkFrom(source, cwd string, o SessionOptions) (*Session, error) {
	source = resolvePath(source)
	c, _, err := load(source)
	if err != nil {
		return nil, err
	}
	if c.version == 0 {
		return nil, fmt.Errorf("%s: %w", source, ErrReadOnly)
	}
	s, err := newSession(cwd, o)
	if err != nil {
		return nil, err
	}
	if _, err := s.NewSession(NewOptions{ID: o.ID, ParentSession: source}); err != nil {
		return nil, err
	}
	fork := headed(s.header)
	for i, raw := range c.entries { // What is no entry is left behind.
		fork.add(2+i, raw)
	}
	s.take(fork)
	s.perm = permLike(source)
	if err := s.birth(s.entries); err != nil {
		return nil, err
	}
	return s, nil
}

// ForkOptions of Fork.
type ForkOptions struct {
	Options
	// Entry is the id of the entry up to which the path is taken. Default: the
	// whole session, all branches.
	Entry string
	// Cwd is the new session's directory. Default: that of the session.
	Cwd string
	// Dir is the directory for the file. Default: that of the session's file, or
	// with another Cwd pi's own for it.
	Dir string
}

// Fork makes a new session file from a stored session, as pi's forkFrom or, up to
// an entry, its createBranchedSession does, and returns its path. The session's own
// file is not touched. The mode of the new one is no wider, which pi leaves to the
// umask. ErrUnknownEntry if there is no such entry, ErrNoConversation
// if there is no message of user or assistant on its path: pi has no files for such
// sessions.
func Fork(s *store.Session, o ForkOptions) (path string, err error) {
	if err := readable(s); err != nil {
		return "", err
	}
	if o.Dir == "" && (o.Cwd == "" || resolvePath(o.Cwd) == s.Cwd()) {
		o.Dir = filepath.Dir(s.Path)
	}
	if o.Cwd == "" {
		o.Cwd = s.Cwd()
	}
	to := SessionOptions{Options: o.Options, Dir: o.Dir}
	if o.Entry == "" {
		fork, err := ForkFrom(s.Path, o.Cwd, to)
		if err != nil {
			return "", err
		}
		return fork.File(), nil
	}
	return forkAt(s.Path, o.Entry, o.Cwd, to)
}

// forkAt makes a session file of the path to an entry of the file source.
func forkAt(source, entry, cwd string, o SessionOptions) (path string, err error) {
	c, _, err := load(source)
	if err != nil {
		return "", err
	}
	s := blank(cwd, o)
	s.take(c)
	s.path, s.born = source, true
	path, err = s.CreateBranchedSession(entry)
	if err == nil && !s.born {
		return "", fmt.Errorf("%w up to entry %s", ErrNoConversation, entry)
	}
	return path, err
}
