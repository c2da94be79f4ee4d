package store

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// rawFile is a descriptor that does not go through package os: os.Open tries to
// register each file with the poller and allocates, which is half the cost of
// reading 10,000 headers.
type rawFile int

// openRaw opens path for reading, with flags of open(2) beside the usual ones. It
// waits for no writer of a FIFO and leaves atime alone where that is allowed (to the
// owner).
func openRaw(path string, flags int) (rawFile, error) {
	flags |= unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Open(path, flags|unix.O_NOATIME, 0)
		return err
	})
	if err == unix.EPERM {
		err = ignoringEINTR(func() (err error) {
			fd, err = unix.Open(path, flags, 0)
			return err
		})
	}
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return rawFile(fd), nil
}

func (f rawFile) close() { _ = unix.Close(int(f)) }

func (f rawFile) facts() (facts, error) {
	var st syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Fstat(int(f), &st) }); err != nil {
		return facts{}, os.NewSyscallError("fstat", err)
	}
	return factsOf(&st), nil
}

// ReadAt is io.ReaderAt.
func (f rawFile) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		var m int
		err := ignoringEINTR(func() (err error) {
			m, err = unix.Pread(int(f), p[n:], off+int64(n))
			return err
		})
		if err != nil {
			return n, os.NewSyscallError("pread", err)
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}
