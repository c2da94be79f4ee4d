package store

import (
	"os"
	"sync/atomic"
)

// An openFile is a session's file, open for reading by many at once. Package os would
// guard the descriptor too, but tries to register each file with the poller.
type openFile struct {
	session *Session
	raw     rawFile
	users   int         // who reads it, and one for its being kept; guarded by descriptors.mu
	ended   atomic.Bool // the session was forgotten: reads that have not begun fail
}

// openSession opens the file of s and makes sure that it is it. The caller is its
// user.
func openSession(s *Session) (*openFile, error) {
	raw, err := openRaw(s.Path, 0)
	switch {
	case isGone(err):
		return nil, ErrReplaced
	case err != nil:
		return nil, err
	}
	file := &openFile{session: s, raw: raw, users: 1}
	f, err := file.facts()
	if err == nil && f.fileID != s.id {
		err = ErrReplaced
	}
	if err != nil {
		file.leave()
		return nil, err
	}
	return file, nil
}

// leave closes the file if there are no users left.
func (f *openFile) leave() {
	if f.users--; f.users == 0 {
		f.raw.close()
	}
}

// facts returns the file's facts as they are now.
func (f *openFile) facts() (facts, error) {
	if f.ended.Load() {
		return facts{}, os.ErrClosed
	}
	now, err := f.raw.facts()
	return now, f.named("stat", err)
}

// ReadAt is io.ReaderAt.
func (f *openFile) ReadAt(p []byte, off int64) (int, error) {
	if f.ended.Load() {
		return 0, os.ErrClosed
	}
	n, err := f.raw.ReadAt(p, off)
	return n, f.named("read", err)
}

// named says of what file an error of the system is.
func (f *openFile) named(op string, err error) error {
	if call, ok := err.(*os.SyscallError); ok {
		return &os.PathError{Op: op, Path: f.session.Path, Err: call.Err}
	}
	return err
}
