package fs

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/pifs/pifs/writeback"
)

// A draft is the text of a file that is open for writing. It becomes the file's
// text when the writer says so: at a flush or fsync after a write.
type draft struct {
	file    writable
	thread  uint32 // the thread that opened the file
	append  bool   // every write goes to the end
	created bool   // the file is new

	mu      sync.Mutex
	text    []byte
	old     int  // its first bytes that the file had when it was opened
	adding  bool // nothing has been done but appending
	written bool // since the last commit
	emptied bool // and not written since
	flushed time.Time
	failed  error // of the write that was refused: half a text is not meant
}

// newDraft begins with the text that the file has.
func newDraft(file writable, thread uint32, appending bool) (*draft, error) {
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	text := make([]byte, size)
	n, err := file.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &draft{file: file, thread: thread, append: appending, text: text[:n], old: n, adding: appending}, nil
}

// newFileDraft begins with an empty text for a file that is being made.
func newFileDraft(file writable, thread uint32, appending bool) *draft {
	return &draft{file: file, thread: thread, append: appending, created: true, emptied: true, adding: appending}
}

func (d *draft) size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.text))
}

// ReadAt reads what the text is so far.
func (d *draft) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.NewReader(d.text).ReadAt(p, off)
}

// write changes the text. What can be known to be wrong with it fails here, where
// programs look: many ignore the errors of close.
func (d *draft) write(data []byte, off int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.emptied = false // also if this fails: it was not meant to be empty
	if d.failed == nil {
		d.failed = d.lockedWrite(data, off)
	}
	return d.failed
}

// lockedWrite is write with the lock held.
func (d *draft) lockedWrite(data []byte, off int64) error {
	if d.append {
		off = int64(len(d.text))
	}
	end := off + int64(len(data))
	long := end
	if d.adding {
		long -= int64(d.old)
	}
	if long > writeback.MaxText+1 { // a newline at the end does not count
		return writeback.ErrTooLong
	}
	text := append([]byte(nil), d.text...)
	if missing := end - int64(len(text)); missing > 0 {
		text = append(text, make([]byte, missing)...)
	}
	copy(text[off:], data)
	if err := d.file.check(d.revision(text)); err != nil {
		return err
	}
	d.text, d.written = text, true
	return nil
}

// revision is what text makes of the file.
func (d *draft) revision(text []byte) revision {
	r := revision{text: text, created: d.created}
	if d.adding {
		r.added = text[d.old:]
	}
	return r
}

// truncate cuts the text, or fills it up with zeros.
func (d *draft) truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case size == int64(len(d.text)):
		d.emptied = d.emptied || (size == 0 && !d.written)
	case size > int64(len(d.text)):
		return ErrNotPermitted
	case size == 0:
		d.text, d.written, d.emptied, d.adding, d.failed = nil, false, true, false, nil
	default:
		d.text, d.written, d.adding = d.text[:size], true, false
	}
	return nil
}

// commit makes what was written since the last commit the file's text.
func (d *draft) commit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flushed = time.Now()
	if !d.written || d.failed != nil {
		return nil
	}
	d.written = false
	err := d.file.write(d.revision(d.text))
	d.created = false
	return err
}

// closing tells whether the file may be about to be closed without having been
// written: a descriptor of it was closed at a moment that is not past for long.
func (d *draft) closing() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.emptied && time.Since(d.flushed) < settleTime
}

// touch decides about a new file whose times are set: touch(1) writes nothing, and
// nobody could be told of an error later.
func (d *draft) touch() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.created || !d.emptied {
		return nil
	}
	d.created, d.emptied = false, false
	return d.file.write(revision{created: true})
}

// close ends the writing: a file that was emptied and never written is empty now.
func (d *draft) close() error {
	if err := d.commit(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.emptied {
		return nil
	}
	d.emptied = false
	return d.file.write(revision{created: d.created})
}
