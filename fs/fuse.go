package fs

import (
	"strings"
	"syscall"
	"time"

	iofs "io/fs"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// fuseFS is the front for the kernel. Its methods are translations: a node is
// found by its ID, asked, and its answer written down. An ID is FUSE's nodeid, so
// nothing is kept for the nodes that the kernel knows, and FORGET needs no answer.
type fuseFS struct {
	fuse.RawFileSystem
	t        *Tree
	server   *fuse.Server
	handles  handles
	notices  *notices
	ahead    *ahead
	refusals recent[uint32] // by thread
	removals recent[removal]
}

// Validity of what the kernel keeps. What can't change is kept for long, and what can
// is given up when the store tells of a change (see notify.go) or not kept at all.
const (
	keepLong = 24 * time.Hour
	keepNot  = 0
)

// missingKept is how long the kernel may keep that a name is not there. No name
// begins with a dot but .pifs, and searches ask for .gitignore everywhere.
func missingKept(name string) time.Duration {
	if strings.HasPrefix(name, ".") {
		return keepLong
	}
	return keepNot
}

func (f *fuseFS) String() string { return "pifs" }

func (f *fuseFS) Init(s *fuse.Server) { f.server = s }

// panicked is what a handler that panicked answers: the mount goes on.
func (f *fuseFS) panicked(what any) fuse.Status {
	f.t.log.panicked(what)
	return fuse.EIO
}

// status is what a program is told of err. What nobody foresaw is logged.
func (f *fuseFS) status(op string, err error) fuse.Status {
	errno := Errno(err)
	if errno == syscall.EIO {
		f.t.log.printf("%s: %v", op, err)
	}
	return fuse.Status(errno)
}

// node returns the node that a request is about.
func (f *fuseFS) node(h *fuse.InHeader) (Node, fuse.Status) {
	f.t.stats.calls.Add(1)
	n, err := f.t.Node(ID(h.NodeId))
	if err != nil {
		return nil, f.status("node", err)
	}
	return n, fuse.OK
}

// dir is node for a directory.
func (f *fuseFS) dir(h *fuse.InHeader) (Dir, fuse.Status) {
	n, status := f.node(h)
	if !status.Ok() {
		return nil, status
	}
	d, ok := n.(Dir)
	if !ok {
		return nil, fuse.ENOTDIR
	}
	return d, fuse.OK
}

func (f *fuseFS) Lookup(_ <-chan struct{}, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	f.handles.settle()
	d, status := f.dir(h)
	if !status.Ok() {
		return status
	}
	n, err := d.Lookup(name)
	if err == nil && name == nameName && f.removals.has(removal{h.Pid, ID(h.NodeId)}) && isEmpty(n) {
		err = ErrNotExist
	}
	if err != nil {
		if kept := missingKept(name); kept > 0 && Errno(err) == syscall.ENOENT {
			out.SetEntryTimeout(kept) // with a nodeid of 0: it is known not to be there
			return fuse.OK
		}
		return f.status("lookup", err)
	}
	f.ahead.note(n, false)
	return f.fill(n, out)
}

// isEmpty tells whether a node is a file without text.
func isEmpty(n Node) bool {
	size, err := sizeOf(n)
	return err == nil && size == 0
}

// fill writes down what a lookup of n found. A date that needs a scan is left for
// GETATTR, which also lets the kernel have the text of some files. The size is exact, or
// who sends a file on without a look at it (sendfile) would send too little; and what is
// said here counts for all who have the file open.
func (f *fuseFS) fill(n Node, out *fuse.EntryOut) fuse.Status {
	a, exact, err := lookupAttr(n)
	if err != nil {
		return f.status("lookup", err)
	}
	size, err := sizeOf(n)
	if err != nil {
		return f.status("lookup", err)
	}
	out.NodeId = uint64(n.ID())
	out.Attr = fuseAttr(n.Ino(), a, size)
	out.SetEntryTimeout(nameKept(n))
	if exact && !prefills(n) {
		out.SetAttrTimeout(f.kept(n))
	}
	return fuse.OK
}

// lookupAttr is the Attr of a node as far as it is known without reading many
// sessions.
func lookupAttr(n Node) (a Attr, exact bool, err error) {
	if p, ok := n.(provisional); ok {
		return p.provisional(), false, nil
	}
	a, err = n.Attr()
	return a, true, err
}

// nameKept is how long the kernel may keep that a name means a node. It is told when
// projects and sessions are gone, and when a session at rest is used again; of what
// changes more often it is not told (see notices), and must ask.
func nameKept(n Node) time.Duration {
	switch n := n.(type) {
	case currentLink:
		if n.s.keepCurrent(n.at) {
			return keepLong
		}
		return keepNot
	case writable, titleLink, latestLink, forkLink, metaDir:
		return keepNot
	case wholeFile:
		switch n.whole.(type) {
		case textFile, metaFile:
			return keepNot
		}
	}
	return keepLong
}

// kept is how long the kernel may keep a node's attributes. What a user can write must
// be as written at the next look, and .pifs tells of the moment.
func (f *fuseFS) kept(n Node) time.Duration {
	switch n := n.(type) {
	case writable, titleLink, metaDir:
		if f.t.options.ReadOnly {
			return keepLong
		}
		return keepNot
	case wholeFile:
		if _, ok := n.whole.(metaFile); ok {
			return keepNot
		}
	}
	return keepLong
}

// fuseAttr is an Attr as FUSE has it.
func fuseAttr(ino uint64, a Attr, size int64) fuse.Attr {
	sec, ms := a.MtimeMS/1000, a.MtimeMS%1000
	if ms < 0 {
		sec, ms = sec-1, ms+1000
	}
	out := fuse.Attr{
		Ino:    ino,
		Size:   uint64(size),
		Blocks: (uint64(size) + 511) / 512,
		Mode:   fuseMode(a.Mode),
		Nlink:  1, // of a directory: "not counted", as btrfs and overlayfs have it
		Owner:  fuse.Owner{Uid: a.UID, Gid: a.GID},
	}
	out.Atime, out.Mtime, out.Ctime = uint64(sec), uint64(sec), uint64(sec)
	nsec := uint32(ms) * 1e6
	out.Atimensec, out.Mtimensec, out.Ctimensec = nsec, nsec, nsec
	return out
}

// fuseMode is a mode as stat(2) has it.
func fuseMode(m iofs.FileMode) uint32 {
	bits := uint32(m.Perm())
	switch {
	case m.IsDir():
		return bits | syscall.S_IFDIR
	case m&iofs.ModeSymlink != 0:
		return bits | syscall.S_IFLNK
	}
	return bits | syscall.S_IFREG
}

// GetAttr gives the exact attributes: of a file that is being written, those of
// what has been written.
func (f *fuseFS) GetAttr(_ <-chan struct{}, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	n, status := f.node(&in.InHeader)
	if !status.Ok() {
		return status
	}
	var d *draft
	if in.Flags()&fuse.FUSE_GETATTR_FH != 0 {
		d = f.handles.draft(in.Fh())
	}
	return f.attr(n, d, out)
}

func (f *fuseFS) attr(n Node, d *draft, out *fuse.AttrOut) fuse.Status {
	a, err := n.Attr()
	if err != nil {
		return f.status("getattr", err)
	}
	var size int64
	if d != nil {
		size = d.size()
	} else {
		f.ahead.note(n, false)
		var given bool
		if size, given = f.prefill(n); !given {
			size, err = sizeOf(n)
		}
		if err != nil {
			return f.status("getattr", err)
		}
	}
	out.Attr = fuseAttr(n.Ino(), a, size)
	out.SetTimeout(f.kept(n))
	return fuse.OK
}

func (f *fuseFS) Readlink(_ <-chan struct{}, h *fuse.InHeader) ([]byte, fuse.Status) {
	n, status := f.node(h)
	if !status.Ok() {
		return nil, status
	}
	link, ok := n.(Link)
	if !ok {
		return nil, fuse.EINVAL
	}
	target, err := link.Target()
	return []byte(target), f.status("readlink", err)
}

// Access answers access(2): the kernel does not ask the mode unless the mount is
// open to others.
func (f *fuseFS) Access(_ <-chan struct{}, in *fuse.AccessIn) fuse.Status {
	const write, execute = 2, 1
	n, status := f.node(&in.InHeader)
	if !status.Ok() {
		return status
	}
	_, isDir := n.(Dir)
	switch {
	case in.Mask&execute != 0 && !isDir:
		return fuse.EACCES
	case in.Mask&write == 0:
		return fuse.OK
	case f.t.options.ReadOnly:
		return fuse.EROFS
	}
	switch n := n.(type) {
	case writable:
		return f.status("access", n.writeable())
	case changeable:
		return fuse.OK
	}
	return fuse.EACCES
}

// StatFs tells of a full file system of a plausible shape: nothing can be added
// but by changing sessions.
func (f *fuseFS) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	const blockBytes = 4096
	var used int64
	sessions := f.t.store.Sessions()
	for _, s := range sessions {
		used += (s.Stat().Size + blockBytes - 1) / blockBytes
	}
	*out = fuse.StatfsOut{Blocks: uint64(used), Files: uint64(len(sessions)), Bsize: blockBytes, Frsize: blockBytes, NameLen: 255}
	return fuse.OK
}
