package writeback

import (
	"bytes"
	"os"
	"syscall"
)

// begin makes a session of the empty file at path.
func (s *Session) begin(path string) (*contents, error) {
	header, _, err := newHeader(s.cwd, NewOptions{})
	if err != nil {
		return nil, err
	}
	err = s.options.writer().append(path, func() (addition, error) {
		id, err := os.Stat(path)
		if err != nil || id.Size() > 0 { // Somebody else has begun it.
			return addition{}, err
		}
		return addition{lines: append(bytes.Clone(header), '\n')}, nil
	})
	if err != nil {
		return nil, err
	}
	c, _, err := load(path)
	return c, err
}

// repair migrates the file at path, or adds the newline that it lacks. What may
// only be read is left alone: it can still be looked at and forked.
func (s *Session) repair(path string, c *contents) (*contents, error) {
	w, repaired := s.options.writer(), c
	err := w.append(path, func() (add addition, err error) {
		if repaired, _, err = load(path); err != nil {
			return addition{}, err
		}
		if repaired.old() {
			return addition{replace: w.migration(path, nil)}, nil
		}
		return addition{seal: true}, nil
	})
	switch Errno(err) {
	case syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.EMLINK:
		if c.old() {
			c.version = 0
		}
		return c, nil
	}
	return repaired, err
}
