package writeback

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pifs/pifs/model"
)

// Create begins a new session in the directory cwd: pi's create. Its file is born
// later; the directory for it is made now.
func Create(cwd string, o SessionOptions) (*Session, error) {
	s, err := newSession(cwd, o)
	if err != nil {
		return nil, err
	}
	if _, err := s.NewSession(o.header()); err != nil {
		return nil, err
	}
	return s, nil
}

// Open opens the session in the file at path: pi's open, see [Session.SetFile].
// Its cwd is the header's, unless o or a missing header says otherwise.
func Open(path string, o SessionOptions) (*Session, error) {
	path = resolvePath(path)
	if o.Dir == "" {
		o.Dir = filepath.Dir(path)
	}
	cwd := o.Cwd
	if cwd == "" {
		if header := readHeader(path); header != nil {
			cwd = header.Get("cwd").Text()
		}
	}
	s, err := newSession(cwd, o)
	if err != nil {
		return nil, err
	}
	if err := s.SetFile(path); err != nil {
		return nil, err
	}
	return s, nil
}

// ContinueRecent opens the newest session of cwd, as `pi --continue` does, or
// begins one if there is none: pi's continueRecent. The newest is the one whose
// file was modified last among those that have a header and, in a directory that
// is not pi's own for cwd, this cwd.
func ContinueRecent(cwd string, o SessionOptions) (*Session, error) {
	recent, ok := mostRecent(cwd, o.Dir)
	if !ok {
		o.ID, o.ParentSession = "", ""
		return Create(cwd, o)
	}
	s, err := newSession(cwd, o)
	if err != nil {
		return nil, err
	}
	if err := s.SetFile(recent); err != nil {
		return nil, err
	}
	return s, nil
}

// InMemory begins a session without a file: pi's inMemory. It holds the entries
// given, which may begin with a header and are then migrated.
func InMemory(cwd string, o SessionOptions, entries ...model.Value) (*Session, error) {
	s := &Session{options: o.Options, cwd: resolvePath(cwd)}
	if _, err := s.NewSession(o.header()); err != nil {
		return nil, err
	}
	var file []byte
	for i, v := range entries {
		v, err := checked(v)
		if err != nil {
			return nil, err
		}
		if i == 0 && !model.IsHeader(v) {
			file = append(append(file, s.header...), '\n')
		}
		file = append(append(file, v...), '\n')
	}
	if file == nil {
		return s, nil
	}
	c, err := parse(file)
	if err != nil {
		return nil, err
	}
	s.take(c)
	return s, nil
}

// newSession returns a Session that has no header yet, and makes its directory.
func newSession(cwd string, o SessionOptions) (*Session, error) {
	s := blank(cwd, o)
	return s, os.MkdirAll(s.dir, 0o777)
}

// blank returns a Session that has no header yet.
func blank(cwd string, o SessionOptions) *Session {
	cwd = resolvePath(cwd)
	return &Session{options: o.Options, cwd: cwd, dir: sessionDir(cwd, o.Dir), persisted: true}
}

// NewSession begins a new session on s, in a file of its own, and returns the
// path that this file will have, "" in memory: pi's newSession.
func (s *Session) NewSession(o NewOptions) (path string, err error) {
	header, name, err := newHeader(s.cwd, o)
	if err != nil {
		return "", err
	}
	s.take(headed(header))
	s.born, s.perm = false, 0
	if s.persisted {
		s.path = filepath.Join(s.dir, name)
	}
	return s.path, nil
}

// SetFile makes s the session in the file at path: pi's setSessionFile.
//
// A file that is not there is made later, with the first message. An empty one
// becomes a new session at once. One of an old version is migrated, one without a
// last newline gets it, and one that is no session is refused untouched, with
// ErrNotSession. If SetFile fails, s is what it was. A session in memory takes what
// is in the file, and writes nothing to it then or later.
func (s *Session) SetFile(path string) error {
	path = resolvePath(path)
	c, empty, err := load(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || empty && !s.persisted:
		_, err = s.NewSession(NewOptions{})
		s.path = path
		return err
	case empty:
		c, err = s.begin(path)
	case err == nil && s.persisted && (c.old() || c.torn):
		c, err = s.repair(path, c)
	}
	if err != nil {
		return err
	}
	s.take(c)
	s.path, s.born = path, true
	return nil
}

// checked returns a JSON value of a caller's as it is stored.
func checked(v model.Value) (model.Value, error) {
	if v == nil {
		return nil, nil
	}
	text := model.Clean(v)
	if !model.Valid(text) {
		return nil, fmt.Errorf("%w: %.40q", ErrNotJSON, v)
	}
	return model.Value(text).AppendCompact(nil), nil
}
