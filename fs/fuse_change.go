package fs

import (
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// change is the directory that a request wants to change, ErrReadOnly or
// ErrNotPermitted if there can be no change in it.
func (f *fuseFS) change(h *fuse.InHeader) (changeable, fuse.Status) {
	d, status := f.dir(h)
	if !status.Ok() {
		return nil, status
	}
	if f.t.options.ReadOnly {
		return nil, fuse.EROFS
	}
	c, ok := d.(changeable)
	if !ok {
		return nil, fuse.EPERM
	}
	return c, fuse.OK
}

func (f *fuseFS) Create(_ <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	d, status := f.change(&in.InHeader)
	if !status.Ok() {
		return status
	}
	if isTemporary(in) {
		return fuse.EPERM
	}
	file, err := d.create(name)
	if err != nil {
		return f.status("create", err)
	}
	if status := f.fill(file, &out.EntryOut); !status.Ok() {
		return status
	}
	f.removals.forget(removal{in.Pid, ID(in.NodeId)})
	out.Fh = f.handles.add(newFileDraft(file, in.Pid, in.Flags&syscall.O_APPEND != 0))
	out.OpenFlags = fuse.FOPEN_DIRECT_IO
	return fuse.OK
}

// isTemporary tells whether the file is one that mkstemp(3) makes. Programs that save by
// such a file and a rename, as sed -i, would make a label of it.
func isTemporary(in *fuse.CreateIn) bool {
	const flags = syscall.O_RDWR | syscall.O_EXCL
	return in.Flags&flags == flags && in.Mode&0o777 == 0o600
}

// Symlink answers with a link, as the kernel insists; what is there at the next
// look is the label's file.
func (f *fuseFS) Symlink(_ <-chan struct{}, h *fuse.InHeader, target, name string, out *fuse.EntryOut) fuse.Status {
	d, status := f.change(h)
	if !status.Ok() {
		return status
	}
	if err := d.symlink(target, name); err != nil {
		return f.status("symlink", err)
	}
	out.NodeId = uint64(makeID(kindGone, 0, 0))
	out.Attr = fuseAttr(inoOf(kindGone, ""), Attr{Mode: linkMode}, int64(len(target)))
	return fuse.OK
}

func (f *fuseFS) Rename(_ <-chan struct{}, in *fuse.RenameIn, from, to string) fuse.Status {
	const noReplace = 1
	d, status := f.change(&in.InHeader)
	if !status.Ok() {
		return status
	}
	if n, err := f.t.Node(ID(in.Newdir)); err != nil || n.ID() != d.ID() {
		return fuse.EPERM
	}
	if in.Flags&^noReplace != 0 {
		return fuse.EINVAL
	}
	if in.Flags&noReplace != 0 {
		if _, err := d.Lookup(to); err == nil {
			return fuse.Status(syscall.EEXIST)
		}
	}
	return f.status("rename", d.rename(from, to))
}

func (f *fuseFS) Unlink(_ <-chan struct{}, h *fuse.InHeader, name string) fuse.Status {
	status := f.remove(h, "unlink", func(d changeable) error { return d.remove(name) })
	if k, _, _ := ID(h.NodeId).parts(); status.Ok() && k == kindSession {
		f.removals.note(removal{h.Pid, ID(h.NodeId)})
	}
	return status
}

func (f *fuseFS) Rmdir(_ <-chan struct{}, h *fuse.InHeader, name string) fuse.Status {
	return f.remove(h, "rmdir", func(d changeable) error { return d.removeDir(name) })
}

// remove does a removal, but nothing of what `rm -r` of a session, a project or the
// whole mount would remove: its thread is refused most of what it tries, and the
// names and labels that it comes upon are not what was meant.
func (f *fuseFS) remove(h *fuse.InHeader, op string, do func(changeable) error) fuse.Status {
	d, status := f.change(h)
	switch {
	case !status.Ok():
	case f.refusals.has(h.Pid):
		return fuse.EPERM
	default:
		status = f.status(op, do(d))
	}
	if status == fuse.EPERM {
		f.refusals.note(h.Pid)
	}
	return status
}

// refused is the answer to changes that no directory offers.
func (f *fuseFS) refused() fuse.Status {
	f.t.stats.calls.Add(1)
	if f.t.options.ReadOnly {
		return fuse.EROFS
	}
	return fuse.EPERM
}

func (f *fuseFS) Mknod(<-chan struct{}, *fuse.MknodIn, string, *fuse.EntryOut) fuse.Status {
	return f.refused()
}

func (f *fuseFS) Mkdir(<-chan struct{}, *fuse.MkdirIn, string, *fuse.EntryOut) fuse.Status {
	return f.refused()
}

func (f *fuseFS) Link(<-chan struct{}, *fuse.LinkIn, string, *fuse.EntryOut) fuse.Status {
	return f.refused()
}

func (f *fuseFS) Tmpfile(<-chan struct{}, *fuse.CreateIn, *fuse.CreateOut) fuse.Status {
	return f.refused()
}

func (f *fuseFS) Fallocate(<-chan struct{}, *fuse.FallocateIn) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}
