package writeback

import (
	"os"

	"golang.org/x/sys/unix"
)

// An Op names one step at which a file is touched, so that a test can aim a
// fault at it. The names say what the step is for, not which call it makes.
type Op string

// The steps of an append, in order.
const (
	OpOpen     Op = "open"         // the session file
	OpLock     Op = "lock"         // take the flock
	OpIdentify Op = "identify"     // which file is open
	OpNamed    Op = "named"        // which file the path names
	OpForeign  Op = "foreign lock" // another program's lock file
	OpLastByte Op = "last byte"    // does the file end in a newline?
	OpReserve  Op = "reserve"      // the space for the new lines
	OpWrite    Op = "write"        // the new lines
	OpFinish   Op = "finish"       // the rest of a write that was cut short
	OpSeal     Op = "seal"         // a newline after a line that stays torn
	OpSync     Op = "sync"         // to the disk
	OpSeam     Op = "seam"         // does a newline stand before the new lines?
	OpRenamed  Op = "still named"  // does the path still name the file?
	OpClose    Op = "close"        // the session file
)

// The further steps of a migration and of a file's birth, in order.
const (
	OpCreate     Op = "create"     // the new file
	OpCopy       Op = "copy"       // the old file's lines and the new ones
	OpAttributes Op = "attributes" // owner, mode and extended attributes
	OpSyncNew    Op = "sync new"   // the new file to the disk
	OpCloseNew   Op = "close new"  // the new file
	OpUnchanged  Op = "unchanged"  // is the old file as it was read?
	OpRename     Op = "rename"     // the new file over the old one
	OpOpenDir    Op = "open directory"
	OpSyncDir    Op = "sync directory"
	OpLate       Op = "late"    // has something come into the old file?
	OpDiscard    Op = "discard" // a new file that is not needed after all
)

// An ID tells files apart, and states of one file.
type ID struct {
	Dev, Ino uint64
	Size     int64
	MtimeNS  int64
	Links    uint64
}

// Same tells whether a and b are the same file.
func (a ID) Same(b ID) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

// FS is the operating system as this package uses it on a file that is being
// written. Each call carries the step that it is made for. Errors are those of
// the os package or plain error numbers.
type FS interface {
	// Open is os.OpenFile.
	Open(op Op, path string, flag int, perm os.FileMode) (*os.File, error)
	// TryLock takes an exclusive flock or fails with EWOULDBLOCK.
	TryLock(op Op, f *os.File) error
	// Stat and StatPath tell which file is open, and which one a path names.
	Stat(op Op, f *os.File) (ID, error)
	StatPath(op Op, path string) (ID, error)
	// ReadAt is os.File.ReadAt.
	ReadAt(op Op, f *os.File, p []byte, at int64) (int, error)
	// Reserve allocates sizeBytes from the offset at, without changing the size.
	Reserve(op Op, f *os.File, at, sizeBytes int64) error
	// Write is one write(2). It returns how many bytes went into the file, and at
	// which offset the first stands: in a file that others append to as well that
	// is known only afterwards.
	Write(op Op, f *os.File, p []byte) (n int, at int64, err error)
	// CopyAttributes gives to the owner, mode and extended attributes of from, as
	// far as the caller may.
	CopyAttributes(op Op, from, to *os.File) error
	Sync(op Op, f *os.File) error
	Close(op Op, f *os.File) error
	Rename(op Op, from, to string) error
	Remove(op Op, path string) error
}

// OS is the operating system.
type OS struct{}

// Open implements [FS].
func (OS) Open(_ Op, path string, flag int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}

// TryLock implements [FS].
func (OS) TryLock(_ Op, f *os.File) error {
	return uninterrupted(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
}

// Stat implements [FS].
func (OS) Stat(_ Op, f *os.File) (ID, error) {
	var st unix.Stat_t
	err := uninterrupted(func() error { return unix.Fstat(int(f.Fd()), &st) })
	return identity(st), err
}

// StatPath implements [FS].
func (OS) StatPath(_ Op, path string) (ID, error) {
	var st unix.Stat_t
	err := uninterrupted(func() error { return unix.Stat(path, &st) })
	return identity(st), err
}

func identity(st unix.Stat_t) ID {
	return ID{
		Dev:     uint64(st.Dev),
		Ino:     st.Ino,
		Size:    st.Size,
		MtimeNS: st.Mtim.Nano(),
		Links:   uint64(st.Nlink),
	}
}

// ReadAt implements [FS].
func (OS) ReadAt(_ Op, f *os.File, p []byte, at int64) (int, error) { return f.ReadAt(p, at) }

// Reserve implements [FS].
func (OS) Reserve(_ Op, f *os.File, at, sizeBytes int64) error {
	return uninterrupted(func() error {
		return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, at, sizeBytes)
	})
}

// Write implements [FS]. It does not use os.File.Write, which would make several
// system calls where the first is cut short.
func (OS) Write(_ Op, f *os.File, p []byte) (n int, at int64, err error) {
	err = uninterrupted(func() error { n, err = unix.Write(int(f.Fd()), p); return err })
	if err != nil {
		return 0, 0, err
	}
	end, err := unix.Seek(int(f.Fd()), 0, unix.SEEK_CUR)
	return n, end - int64(n), err
}

// CopyAttributes implements [FS].
func (OS) CopyAttributes(_ Op, from, to *os.File) error { return copyAttributes(from, to) }

// Sync implements [FS].
func (OS) Sync(_ Op, f *os.File) error { return f.Sync() }

// Close implements [FS].
func (OS) Close(_ Op, f *os.File) error { return f.Close() }

// Rename implements [FS].
func (OS) Rename(_ Op, from, to string) error { return os.Rename(from, to) }

// Remove implements [FS].
func (OS) Remove(_ Op, path string) error { return os.Remove(path) }

// uninterrupted repeats a system call that a signal has interrupted: Go's runtime
// sends itself signals.
func uninterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
