package fs

import (
	"errors"
	"io"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// Open lets the kernel keep what it has read of files that never change, which is
// nearly all. A tree that is read only answers ENOSYS: the kernel then opens files
// by itself, without a message, for as long as it is mounted. Every read is then
// of a node, not of a handle, which is why a node has one content.
func (f *fuseFS) Open(_ <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	n, status := f.node(&in.InHeader)
	if !status.Ok() {
		return status
	}
	write := in.Flags&syscall.O_ACCMODE != syscall.O_RDONLY
	if f.t.options.ReadOnly {
		if write {
			return fuse.EROFS
		}
		return fuse.ENOSYS
	}
	file, changes := n.(writable)
	if !write {
		out.OpenFlags = readFlags(n)
		return fuse.OK
	}
	if !changes {
		return fuse.EPERM
	}
	if err := file.writeable(); err != nil {
		return f.status("open", err)
	}
	d, err := newDraft(file, in.Pid, in.Flags&syscall.O_APPEND != 0)
	if err != nil {
		return f.status("open", err)
	}
	out.Fh = f.handles.add(d)
	out.OpenFlags = fuse.FOPEN_DIRECT_IO // what is written reads back as what it means
	return fuse.OK
}

// readFlags is what the kernel may do with a file that is open for reading. Of one
// that grows it must keep nothing: it would fill up the page in which the old end
// was with zeros, and show those to another reader for the new end.
func readFlags(n Node) uint32 {
	if _, changes := n.(writable); changes {
		return fuse.FOPEN_NOFLUSH
	}
	if c, ok := n.(compositeFile); ok {
		if f, ok := c.assembly.(transcriptFile); ok && f.s.live() {
			return fuse.FOPEN_NOFLUSH | fuse.FOPEN_DIRECT_IO
		}
	}
	return fuse.FOPEN_NOFLUSH | fuse.FOPEN_KEEP_CACHE
}

// Read reads from the node, or from what is being written.
func (f *fuseFS) Read(_ <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	var r io.ReaderAt
	if d := f.handles.draft(in.Fh); d != nil {
		r = d
	} else {
		n, status := f.node(&in.InHeader)
		if !status.Ok() {
			return nil, status
		}
		file, ok := n.(File)
		if !ok {
			return nil, fuse.EISDIR
		}
		f.ahead.note(n, true)
		noteRead(n)
		r = file
	}
	n, err := r.ReadAt(buf, int64(in.Offset))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, f.status("read", err)
	}
	return fuse.ReadResultData(buf[:n]), fuse.OK
}

func (f *fuseFS) Write(_ <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	d := f.handles.draft(in.Fh)
	if d == nil {
		return 0, fuse.EBADF
	}
	if err := d.write(data, int64(in.Offset)); err != nil {
		return 0, f.status("write", err)
	}
	return uint32(len(data)), fuse.OK
}

// Flush comes at every close of a descriptor, and a shell closes one before the
// command writes: only what was written since is appended.
func (f *fuseFS) Flush(_ <-chan struct{}, in *fuse.FlushIn) fuse.Status {
	if f.t.options.ReadOnly {
		return fuse.ENOSYS
	}
	return f.commit("flush", in.Fh)
}

func (f *fuseFS) Fsync(_ <-chan struct{}, in *fuse.FsyncIn) fuse.Status {
	return f.commit("fsync", in.Fh)
}

func (f *fuseFS) commit(op string, fh uint64) fuse.Status {
	d := f.handles.draft(fh)
	if d == nil {
		return fuse.OK
	}
	return f.late(op, d.commit())
}

// late is status for an error that shells and many programs do not look at: it
// can at least be read in the log.
func (f *fuseFS) late(op string, err error) fuse.Status {
	if err != nil {
		f.t.log.printf("%s: %v", op, err)
	}
	return fuse.Status(Errno(err))
}

// Release comes when the last descriptor is closed. A file that was emptied, or
// made, and never written is decided now. Nobody can be told of an error.
func (f *fuseFS) Release(_ <-chan struct{}, in *fuse.ReleaseIn) {
	d := f.handles.draft(in.Fh)
	if d == nil {
		return
	}
	defer f.handles.drop(in.Fh) // until then, looks wait for it
	f.late("close", d.close())
}

// SetAttr empties a file that is being written. Mode, owner and times of what can
// be written are accepted and ignored, or editors and `cp -p` would complain.
func (f *fuseFS) SetAttr(_ <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	n, status := f.node(&in.InHeader)
	if !status.Ok() {
		return status
	}
	if f.t.options.ReadOnly {
		return fuse.EROFS
	}
	file, ok := n.(writable)
	if !ok {
		return fuse.EPERM
	}
	var d *draft
	if in.Valid&fuse.FATTR_FH != 0 {
		d = f.handles.draft(in.Fh)
	} else {
		d = f.handles.opening(n.ID(), in.Pid)
	}
	if in.Valid&fuse.FATTR_SIZE != 0 {
		if err := truncate(file, d, int64(in.Size)); err != nil {
			return f.status("truncate", err)
		}
	}
	if in.Valid&fuse.FATTR_MTIME != 0 && d != nil {
		if err := d.touch(); err != nil {
			return f.status("touch", err)
		}
	}
	if n, status = f.node(&in.InHeader); !status.Ok() { // the session may have been migrated
		return status
	}
	return f.attr(n, d, out)
}

// truncate gives a file that is being written another length, or, without a
// draft, empties the file at once.
func truncate(file writable, d *draft, size int64) error {
	if d != nil {
		return d.truncate(size)
	}
	if err := file.writeable(); err != nil {
		return err
	}
	if size != 0 {
		return ErrNotPermitted
	}
	return file.write(revision{})
}

func (f *fuseFS) Lseek(<-chan struct{}, *fuse.LseekIn, *fuse.LseekOut) fuse.Status {
	return fuse.ENOSYS
}
