package writeback

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// migration returns what replaces the file at path, of version 1 or 2, by one of
// version 3 with lines added at its end. At every moment there is a whole file at
// the path, the old one or the new.
//
// Unlike pi it keeps the lines that are no entries, and gives the entries of
// version 1 the ids that every reading of the file gives them ([migrate]).
func (w writer) migration(path string, lines []byte) func(*os.File) (bool, error) {
	return func(f *os.File) (done bool, err error) {
		done, err = w.migrate(path, f, lines)
		if err != nil {
			err = fmt.Errorf("%s: migrating: %w", path, err)
		}
		return done, err
	}
}

func (w writer) migrate(path string, old *os.File, lines []byte) (done bool, err error) {
	// 1. A rename would tear the names of a file apart that has several. Through a
	//    symbolic link it must replace what the link points at.
	id, err := w.fs.Stat(OpIdentify, old)
	if err != nil {
		return false, err
	}
	if id.Links > 1 {
		return false, ErrHardLinks
	}
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return false, err
	}

	// 2. The new file stands beside the old one, so that the rename stays in one
	//    file system, under a name that no one takes for a session.
	dir := filepath.Dir(path)
	temporary := filepath.Join(dir, fmt.Sprintf(".pifs-migrate-%x", sha256.Sum256([]byte(path)))[:32])
	if err := w.buildNew(temporary, old, id.Size, lines); err != nil {
		return false, errors.Join(err, w.discard(temporary))
	}

	// 3. A pi that knows nothing of our lock may have appended or migrated in the
	//    meantime: then all that was in vain.
	same, err := w.unchanged(path, old, id)
	if err != nil || !same {
		return false, errors.Join(err, w.discard(temporary))
	}

	// 4. The one step that others see.
	if err := w.fs.Rename(OpRename, temporary, path); err != nil {
		return false, errors.Join(err, w.discard(temporary))
	}

	// 5. The rename itself must reach the disk, or a power failure undoes what was
	//    acknowledged.
	if err := w.syncDir(dir); err != nil {
		return true, err
	}

	// 6. A program that had opened the old file before the rename may have appended to
	//    it since step 3. That goes to the end of the new one.
	return true, w.carryOver(path, old, id.Size)
}

// carryOver appends to the file at path what has come into the file that it has
// replaced beyond the first sizeBytes.
func (w writer) carryOver(path string, old *os.File, sizeBytes int64) error {
	is, err := w.fs.Stat(OpLate, old)
	if err != nil || is.Size <= sizeBytes {
		return err
	}
	var late bytes.Buffer
	out := bufio.NewWriter(&late)
	in := bufio.NewReaderSize(io.NewSectionReader(stepReader{w.fs, old}, 0, is.Size), 1<<20)
	if err := copyMigrated(out, in, sizeBytes); err != nil {
		return err
	}
	if err := out.Flush(); err != nil || late.Len() == 0 {
		return err
	}
	return w.append(path, func() (addition, error) { return addition{lines: late.Bytes()}, nil })
}

// buildNew writes the new file and waits for the disk, even where appends do not:
// all that the session holds is at stake, not one line.
func (w writer) buildNew(path string, old *os.File, sizeBytes int64, lines []byte) (err error) {
	f, err := w.create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := w.fs.Close(OpCloseNew, f); err == nil {
			err = e
		}
	}()
	out := bufio.NewWriterSize(stepWriter{w.fs, f}, 1<<20)
	in := bufio.NewReaderSize(io.NewSectionReader(stepReader{w.fs, old}, 0, sizeBytes), 1<<20)
	if err := copyMigrated(out, in, -1); err != nil {
		return err
	}
	if _, err := out.Write(lines); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := w.fs.CopyAttributes(OpAttributes, old, f); err != nil {
		return err
	}
	return w.fs.Sync(OpSyncNew, f)
}

// create makes the new file. One that is there already was left behind by a
// process that died: a living one would hold the lock of the old file.
func (w writer) create(path string) (*os.File, error) {
	const flag = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := w.fs.Open(OpCreate, path, flag, 0o600)
	if errors.Is(err, os.ErrExist) {
		if err := w.fs.Remove(OpDiscard, path); err != nil {
			return nil, err
		}
		f, err = w.fs.Open(OpCreate, path, flag, 0o600)
	}
	return f, err
}

// discard removes a new file that is not needed after all.
func (w writer) discard(path string) error {
	if err := w.fs.Remove(OpDiscard, path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// unchanged tells whether f is still as it was, and still what path names.
func (w writer) unchanged(path string, f *os.File, was ID) (bool, error) {
	is, err := w.fs.Stat(OpUnchanged, f)
	if err != nil {
		return false, err
	}
	named, err := w.statPath(OpRenamed, path)
	return is == was && named.Same(was), err
}

// syncDir waits until the entries of a directory are on the disk.
func (w writer) syncDir(dir string) error {
	d, err := w.fs.Open(OpOpenDir, dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = w.fs.Sync(OpSyncDir, d)
	if unsupported(err) || errors.Is(err, unix.EINVAL) {
		err = nil // Some network file systems cannot, and need not.
	}
	return errors.Join(err, w.fs.Close(OpCloseNew, d))
}

// stepReader and stepWriter read and write a file step by step.
type stepReader struct {
	fs FS
	f  *os.File
}

func (r stepReader) ReadAt(p []byte, at int64) (int, error) {
	return r.fs.ReadAt(OpCopy, r.f, p, at)
}

type stepWriter struct {
	fs FS
	f  *os.File
}

func (w stepWriter) Write(p []byte) (int, error) {
	for written := 0; ; {
		n, _, err := w.fs.Write(OpCopy, w.f, p[written:])
		written += n
		switch {
		case err != nil || written == len(p):
			return written, err
		case n == 0:
			return written, io.ErrShortWrite
		}
	}
}
