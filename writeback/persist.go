package writeback

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pifs/pifs/model"
)

// next returns the place of the next entry, a child of the leaf.
func (s *Session) next() place { return s.under(s.leaf) }

// under returns the place of an entry whose parent is entry i.
func (s *Session) under(i int) place {
	return place{id: newID(s.has), parent: s.idOf(i), timestamp: now()}
}

// add appends a finished entry, to the file first, and moves the leaf to it: pi's
// _appendEntry. If the file cannot be written nothing has changed.
func (s *Session) add(raw model.Value) error {
	f, ok := model.Scan(raw)
	if !ok {
		return fmt.Errorf("%w: %.40q", ErrNotJSON, raw)
	}
	if err := s.persist(raw, f); err != nil {
		return err
	}
	s.leaf = s.remember(s.line+1, f, raw)
	s.tree = s.builder.Tree()
	return nil
}

// persist writes an entry to the file, and with the first message all that came
// before it.
func (s *Session) persist(raw model.Value, f model.Fields) error {
	switch {
	case !s.persisted:
		return nil
	case s.version == 0:
		return fmt.Errorf("%s: %w", s.path, ErrReadOnly)
	case s.born:
		line := appendLine(nil, raw)
		return s.options.writer().append(s.path, func() (addition, error) {
			return addition{lines: line}, nil
		})
	case !s.talked && !talk(f):
		return nil
	}
	return s.birth(append(s.entries, raw))
}

// newPerm is what pi creates files with. The umask takes from it.
const newPerm os.FileMode = 0o666

// permLike returns what a file is created with that has the text of the one at path:
// its mode, so that it can't be read by more. Its owner can go on with it.
func permLike(path string) os.FileMode {
	const owner = 0o600
	info, err := os.Stat(path)
	if err != nil {
		return owner
	}
	return info.Mode()&newPerm | owner
}

// birth makes the file, with these entries, and the session's directory if need be.
func (s *Session) birth(entries []model.Value) error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	text := appendLine(nil, s.header)
	for _, raw := range entries {
		text = appendLine(text, raw)
	}
	if err := s.options.writer().birth(s.path, text, cmp.Or(s.perm, newPerm)); err != nil {
		return err
	}
	s.born = true
	return nil
}

// appendLine appends v as one line. JSON that was read from a file may have white
// space, which pi does not write.
func appendLine(dst []byte, v model.Value) []byte { return append(v.AppendCompact(dst), '\n') }

// birth creates a session's file. A file that is there already is another's, and
// one that could not be filled is removed again, so that the next try can succeed.
func (w writer) birth(path string, text []byte, perm os.FileMode) error {
	f, err := w.fs.Open(OpCreate, path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = stepWriter{w.fs, f}.Write(text)
	if err == nil && w.sync {
		err = w.fs.Sync(OpSyncNew, f)
	}
	if e := w.fs.Close(OpCloseNew, f); err == nil {
		err = e
	}
	if err == nil && w.sync {
		err = w.syncDir(filepath.Dir(path))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, errors.Join(err, w.discard(path)))
	}
	return nil
}
