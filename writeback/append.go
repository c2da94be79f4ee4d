package writeback

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A file that is replaced again and again while it is written to is given up
// after this many tries.
const appendTries = 4

// A writer appends to files, with the safety of an [Options].
type writer struct {
	fs   FS
	sync bool
}

// addition is what is to be written, decided under the lock.
type addition struct {
	lines []byte // whole lines, each with its newline
	seal  bool   // add a missing last newline even without lines

	// replace, if not nil, writes lines by replacing the file f: that is how a file
	// of an old version changes. done is false if f has changed meanwhile.
	replace func(f *os.File) (done bool, err error)
}

// append adds to the file at path what look gives. It never creates the file, and
// never changes a byte that is in it.
//
// look is called under the lock, once for each try, and must give what is missing
// then: after a try that was in vain the lines may stand in the file or not.
func (w writer) append(path string, look func() (addition, error)) error {
	for range appendTries {
		done, err := w.appendOnce(path, look)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w %d times while it was written to", path, ErrStale, appendTries)
}

func (w writer) appendOnce(path string, look func() (addition, error)) (done bool, err error) {
	f, id, err := w.openLocked(path)
	if err != nil {
		return false, err
	}
	// Some file systems report a failed write only when the file is closed. Closing
	// also gives up the lock.
	defer func() {
		if e := w.fs.Close(OpClose, f); err == nil && e != nil {
			done, err = false, e
		}
	}()

	// 1. Look at the file anew. Only under the lock is it certain that no other
	//    pifs gives the new entry's id or name to another one, or has just
	//    replaced the file. A running pi takes no lock; what it appends from here
	//    on becomes a sibling of ours, which is harmless.
	add, err := look()
	if err != nil {
		return false, err
	}
	if add.replace != nil {
		return add.replace(f)
	}

	// 2. Begin with a newline if the last byte is none: a line that a crash or a
	//    full disk has torn must not swallow ours.
	if len(add.lines) == 0 && !add.seal {
		return true, nil
	}
	text, size, err := w.sealing(f, add.lines)
	if err != nil || len(text) == 0 {
		return err == nil, err
	}

	// 3. Reserve the space. A full disk is then reported before anything is
	//    written, not in the middle of a line, which would swallow pi's next one.
	err = w.fs.Reserve(OpReserve, f, size, int64(len(text)))
	if err != nil && !unsupported(err) {
		return false, fmt.Errorf("%s: reserving %d bytes: %w", path, len(text), err)
	}

	// 4. Write all lines at once, at the end, wherever that is by now: O_APPEND
	//    writes of several programs do not mix.
	at, whole, err := w.write(f, text)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}

	// 5. Wait for the disk. After this the lines survive a power failure.
	if w.sync {
		if err := w.fs.Sync(OpSync, f); err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}

	// 6. See that the lines stand where they are read: in the file that the path
	//    names, which somebody may just have replaced, and not behind a line that
	//    somebody has torn since step 2. Else once more.
	if !whole {
		return false, nil
	}
	if text[0] != '\n' {
		if intact, err := w.seamIntact(f, at); err != nil || !intact {
			return false, err
		}
	}
	named, err := w.statPath(OpRenamed, path)
	return named.Same(id), err
}

// sealing returns lines, after a newline if the last byte of f is none, and the
// size of f.
func (w writer) sealing(f *os.File, lines []byte) (text []byte, size int64, err error) {
	id, err := w.fs.Stat(OpIdentify, f)
	if err != nil || id.Size == 0 {
		return lines, 0, err
	}
	last := make([]byte, 1)
	_, err = w.fs.ReadAt(OpLastByte, f, last, id.Size-1)
	if err == nil && last[0] != '\n' {
		lines = append([]byte{'\n'}, lines...)
	}
	return lines, id.Size, err
}

// write appends text and returns the offset where its first byte stands. whole is
// false if another program's bytes came in between.
//
// A write that stops half-way without an error is continued. If the rest cannot be
// written, the torn line gets a newline, so that it does not swallow the next one,
// which may be pi's. It is not cut off: by now others may have written behind it.
func (w writer) write(f *os.File, text []byte) (at int64, whole bool, err error) {
	n, at, err := w.fs.Write(OpWrite, f, text)
	written, whole := n, true
	for err == nil && written < len(text) && n > 0 {
		var next int64
		n, next, err = w.fs.Write(OpFinish, f, text[written:])
		whole = whole && (err != nil || next == at+int64(written))
		written += n
	}
	if err == nil && written == len(text) {
		return at, whole, nil
	}
	if written > 0 && text[written-1] != '\n' {
		_, _, _ = w.fs.Write(OpSeal, f, []byte{'\n'}) // The first error is the one to report.
	}
	if err == nil {
		err = io.ErrShortWrite
	}
	return at, whole, fmt.Errorf("only %d of %d bytes could be written: %w", written, len(text), err)
}

// seamIntact tells whether a newline stands before the offset at of f.
func (w writer) seamIntact(f *os.File, at int64) (bool, error) {
	if at == 0 {
		return false, nil // The file was emptied under our hands.
	}
	before := make([]byte, 1)
	_, err := w.fs.ReadAt(OpSeam, f, before, at-1)
	if errors.Is(err, io.EOF) {
		return false, nil // Likewise, after the write.
	}
	return before[0] == '\n', err
}

// unsupported tells that a file system does not know an operation.
func unsupported(err error) bool {
	return errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS)
}
