package store

import (
	"container/list"
	"errors"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFiles is how many session files are open at most. Ten thousand sessions
// must not mean ten thousand descriptors.
const openFiles = 64

// descriptors keeps the session files that were read last open.
type descriptors struct {
	mu     sync.Mutex
	open   map[*Session]*list.Element
	order  list.List // of *descriptor, the last used first
	closed bool
}

type descriptor struct {
	session *Session
	file    *os.File
}

func newDescriptors() *descriptors {
	return &descriptors{open: make(map[*Session]*list.Element)}
}

// with calls f with the session's file, which is the one that the session was
// found in: ErrReplaced if that is no longer at its path. The file is closed when
// it is not used for long, never while f reads it.
func (d *descriptors) with(s *Session, f func(file *os.File) error) error {
	for {
		file, err := d.get(s)
		if err != nil {
			return err
		}
		// Another goroutine may have closed the file to make room. Package os lets
		// reads that have begun finish and fails those that have not.
		if err := f(file); !errors.Is(err, os.ErrClosed) {
			return err
		}
	}
}

func (d *descriptors) get(s *Session) (*os.File, error) {
	d.mu.Lock()
	if e, ok := d.open[s]; ok {
		d.order.MoveToFront(e)
		d.mu.Unlock()
		return e.Value.(*descriptor).file, nil
	}
	d.mu.Unlock()

	file, err := openSession(s)
	if err != nil {
		return nil, err
	}
	return d.put(s, file)
}

// put keeps a file that was opened while no lock was held.
func (d *descriptors) put(s *Session, file *os.File) (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		file.Close()
		return nil, ErrClosed
	}
	if s.gone.Load() { // and forgotten, perhaps before this
		file.Close()
		return nil, ErrReplaced
	}
	if e, ok := d.open[s]; ok {
		file.Close()
		d.order.MoveToFront(e)
		return e.Value.(*descriptor).file, nil
	}
	d.open[s] = d.order.PushFront(&descriptor{s, file})
	if len(d.open) > openFiles {
		d.remove(d.order.Back())
	}
	return file, nil
}

// forget closes the session's file.
func (d *descriptors) forget(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.open[s]; ok {
		d.remove(e)
	}
}

func (d *descriptors) remove(e *list.Element) {
	c := d.order.Remove(e).(*descriptor)
	delete(d.open, c.session)
	c.file.Close()
}

func (d *descriptors) len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open)
}

func (d *descriptors) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for d.order.Len() > 0 {
		d.remove(d.order.Front())
	}
}

// openSession opens the file of s for reading and makes sure that it is it.
func openSession(s *Session) (*os.File, error) {
	// A path that has become a FIFO must not block; atime is left alone where that
	// is allowed, which is to the owner.
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	file, err := os.OpenFile(s.Path, flags|unix.O_NOATIME, 0)
	if errors.Is(err, os.ErrPermission) {
		file, err = os.OpenFile(s.Path, flags, 0)
	}
	switch {
	case isGone(err):
		return nil, ErrReplaced
	case err != nil:
		return nil, err
	}
	f, err := statFile(file)
	if err == nil && f.fileID != s.id {
		err = ErrReplaced
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// statFile returns the facts of an open file.
func statFile(file *os.File) (facts, error) {
	info, err := file.Stat()
	if err != nil {
		return facts{}, err
	}
	return factsOf(info.Sys().(*syscall.Stat_t)), nil
}
