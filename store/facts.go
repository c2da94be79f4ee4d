package store

import (
	"os"
	"syscall"
)

// fileID is what makes two paths the same file.
type fileID struct{ dev, ino uint64 }

// facts is what is used of a stat. Two equal facts of one file mean that nobody
// has written to it in between: every write sets ctime, which no program can set
// back, and kernels since 6.13 give each change that somebody could have seen the
// result of a ctime of its own.
type facts struct {
	fileID
	size, mtimeNS, ctimeNS int64
	mode, uid, gid, links  uint32
}

func (f *facts) regular() bool { return f.mode&syscall.S_IFMT == syscall.S_IFREG }

func (f *facts) stat() Stat {
	return Stat{Mode: f.mode & 0o7777, UID: f.uid, GID: f.gid, MtimeNS: f.mtimeNS, Size: f.size}
}

// statPath follows links.
func statPath(path string) (facts, error) {
	var st syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Stat(path, &st) }); err != nil {
		return facts{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return factsOf(&st), nil
}

func factsOf(st *syscall.Stat_t) facts {
	return facts{
		fileID:  fileID{st.Dev, st.Ino},
		size:    st.Size,
		mtimeNS: st.Mtim.Nano(),
		ctimeNS: st.Ctim.Nano(),
		mode:    st.Mode,
		uid:     st.Uid,
		gid:     st.Gid,
		links:   uint32(st.Nlink),
	}
}

// ignoringEINTR repeats a system call that a signal interrupted, as it happens on
// network file systems.
func ignoringEINTR(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}
