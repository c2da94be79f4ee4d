package store

import (
	"container/list"
	"errors"
	"os"
	"sync"
)

// openFiles is how many session files are open at most. Ten thousand sessions
// must not mean ten thousand descriptors.
const openFiles = 64

// descriptors keeps the session files that were read last open.
type descriptors struct {
	mu     sync.Mutex
	open   map[*Session]*list.Element
	order  list.List // of *openFile, the last used first
	closed bool
}

func newDescriptors() *descriptors {
	return &descriptors{open: make(map[*Session]*list.Element)}
}

// with calls f with the session's file, which is the one that the session was
// found in: ErrReplaced if that is no longer at its path. The file is closed when
// it is not used for long, never while f reads it.
func (d *descriptors) with(s *Session, f func(file *openFile) error) error {
	for {
		file, err := d.get(s)
		if err != nil {
			return err
		}
		err = f(file)
		d.release(file)
		// The session may have been forgotten meanwhile, or the store closed.
		if !errors.Is(err, os.ErrClosed) {
			return err
		}
	}
}

// get returns the session's file, which the caller must release.
func (d *descriptors) get(s *Session) (*openFile, error) {
	d.mu.Lock()
	if e, ok := d.open[s]; ok {
		defer d.mu.Unlock()
		return d.use(e), nil
	}
	d.mu.Unlock()

	file, err := openSession(s)
	if err != nil {
		return nil, err
	}
	return d.put(s, file)
}

// use returns a file that is kept, for one user more.
func (d *descriptors) use(e *list.Element) *openFile {
	d.order.MoveToFront(e)
	file := e.Value.(*openFile)
	file.users++
	return file
}

// release takes note that a user has done with a file.
func (d *descriptors) release(file *openFile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file.leave()
}

// put keeps a file that was opened while no lock was held, and returns it, or the one
// that is kept already, to be used.
func (d *descriptors) put(s *Session, file *openFile) (*openFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		file.leave()
		return nil, ErrClosed
	}
	if s.gone.Load() { // and forgotten, perhaps before this
		file.leave()
		return nil, ErrReplaced
	}
	if e, ok := d.open[s]; ok {
		file.leave()
		return d.use(e), nil
	}
	e := d.order.PushFront(file)
	d.open[s] = e
	if len(d.open) > openFiles {
		d.remove(d.order.Back())
	}
	return d.use(e), nil
}

// forget closes the session's file.
func (d *descriptors) forget(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.open[s]; ok {
		e.Value.(*openFile).ended.Store(true)
		d.remove(e)
	}
}

// remove keeps a file no longer. It is closed when those who use it have done.
func (d *descriptors) remove(e *list.Element) {
	file := d.order.Remove(e).(*openFile)
	delete(d.open, file.session)
	file.leave()
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
		e := d.order.Front()
		e.Value.(*openFile).ended.Store(true)
		d.remove(e)
	}
}
