package writeback

import (
	"fmt"
	"path/filepath"

	"github.com/pifs/pifs/model"
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
	header, name, err := newHeader(s.cwd, NewOptions{ID: o.ID, ParentSession: source})
	if err != nil {
		return nil, err
	}
	entries := make([]model.Value, len(c.entries))
	for i, e := range c.entries {
		entries[i] = e.raw
	}
	path := filepath.Join(s.dir, name)
	if err := o.writer().birth(path, fileText(header, entries)); err != nil {
		return nil, err
	}
	return s, s.SetFile(path)
}
