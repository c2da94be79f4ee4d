package fs

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// handles are what open files and directories need to remember: a directory its
// list, a file that is being written its text. Others have the handle 0.
type handles struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]any

	drafts atomic.Int64 // how many of them are drafts
}

// add returns a new handle for what is open.
func (h *handles) add(what any) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open = make(map[uint64]any)
	}
	h.last++
	h.open[h.last] = what
	if _, ok := what.(*draft); ok {
		h.drafts.Add(1)
	}
	return h.last
}

// get returns what a handle stands for, nil for 0.
func (h *handles) get(fh uint64) any {
	if fh == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open[fh]
}

// draft is get for a file that is being written.
func (h *handles) draft(fh uint64) *draft {
	d, _ := h.get(fh).(*draft)
	return d
}

// opening returns the draft of a file that a thread has opened last. The kernel
// does not say which descriptor it is that open(2) with O_TRUNC empties.
func (h *handles) opening(id ID, thread uint32) (newest *draft) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var last uint64
	for fh, what := range h.open {
		if d, ok := what.(*draft); ok && fh > last && d.thread == thread && d.file.ID() == id {
			newest, last = d, fh
		}
	}
	return newest
}

// drop forgets a handle.
func (h *handles) drop(fh uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.open[fh].(*draft); ok {
		h.drafts.Add(-1)
	}
	delete(h.open, fh)
}

// settleTime is for how long a look at what can be written waits for a file that
// may be about to be closed. The kernel sends the last close (RELEASE) without
// waiting for its answer, so `touch labels/L; cat labels/L` would look too early.
const settleTime = 50 * time.Millisecond

// settle waits until no file is about to be closed.
func (h *handles) settle() {
	for h.drafts.Load() > 0 && h.anyClosing() {
		time.Sleep(time.Millisecond / 2)
	}
}

func (h *handles) anyClosing() bool {
	var drafts []*draft
	h.mu.Lock()
	for _, what := range h.open {
		if d, ok := what.(*draft); ok {
			drafts = append(drafts, d)
		}
	}
	h.mu.Unlock()
	return slices.ContainsFunc(drafts, (*draft).closing)
}

// openList is an open directory: the list that it had when it was first read.
// Names that come and go meanwhile neither repeat nor hide others.
type openList struct {
	dir    Dir
	change uint64 // the notices' count of changes when it was opened

	once    sync.Once
	entries []Entry
	err     error
}

func (l *openList) list(t *Tree) ([]Entry, error) {
	l.once.Do(func() {
		n, err := t.Node(l.dir.ID()) // the session may have been migrated since
		if d, ok := n.(Dir); ok {
			l.entries, err = d.Entries()
		}
		l.err = err
	})
	return l.entries, l.err
}

// OpenDir lets the kernel keep most lists: it is told when they change.
func (f *fuseFS) OpenDir(_ <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	f.handles.settle()
	d, status := f.dir(&in.InHeader)
	if !status.Ok() {
		return status
	}
	out.Fh = f.handles.add(&openList{dir: d, change: f.notices.changes.Load()})
	if !comesAndGoes(d) {
		out.OpenFlags = fuse.FOPEN_CACHE_DIR | fuse.FOPEN_KEEP_CACHE
	}
	return fuse.OK
}

// comesAndGoes tells whether names come and go in a directory wherever they stand in
// its list: who has read half of a list that the kernel had kept, and given up since,
// would read on in the new one at another name.
func comesAndGoes(d Dir) bool {
	switch d.(type) {
	case rootDir, projectDir, titlesDir:
		return true
	}
	return false
}

// ReleaseDir has the kernel give up the list once more if there were changes while
// the directory was open: what it still read of the old list after it was told, it
// has kept.
func (f *fuseFS) ReleaseDir(in *fuse.ReleaseIn) {
	if l, ok := f.handles.get(in.Fh).(*openList); ok && l.change != f.notices.changes.Load() {
		f.notices.addList(l.dir.ID())
	}
	f.handles.drop(in.Fh)
}

func (f *fuseFS) FsyncDir(<-chan struct{}, *fuse.FsyncIn) fuse.Status { return fuse.OK }

func (f *fuseFS) ReadDir(_ <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return f.readDir(in, func(_ *openList, _ Entry, de fuse.DirEntry) bool { return out.AddDirEntry(de) })
}

// ReadDirPlus also tells of an entry what a lookup would, where that takes little and
// there are not too many: with a nodeid of 0 the kernel asks when it needs to know, and
// does not fill its memory with what nobody may ever look at.
func (f *fuseFS) ReadDirPlus(_ <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return f.readDir(in, func(l *openList, e Entry, de fuse.DirEntry) bool {
		_, many := l.dir.(plentiful)
		found := out.AddDirLookupEntry(de)
		if found == nil {
			return false
		}
		if many || e.Name == "." || e.Name == ".." || !hasKnownSize(e.Node) {
			return true
		}
		_ = f.fill(e.Node, found)
		return true
	})
}

// hasKnownSize tells whether the size of a node is known without rendering.
func hasKnownSize(n Node) bool {
	file, ok := n.(File)
	if !ok {
		return true
	}
	_, known := file.KnownSize()
	return known
}

// readDir calls add for each entry from the offset on, until it is full.
func (f *fuseFS) readDir(in *fuse.ReadIn, add func(*openList, Entry, fuse.DirEntry) bool) fuse.Status {
	f.t.stats.calls.Add(1)
	l, ok := f.handles.get(in.Fh).(*openList)
	if !ok {
		return fuse.EBADF
	}
	entries, err := l.list(f.t)
	if err != nil {
		return f.status("readdir", err)
	}
	const dots = 2
	for at := in.Offset; at < uint64(len(entries))+dots; at++ {
		e := Entry{Node: l.dir}
		switch at {
		case 0:
			e.Name = "."
		case 1:
			e.Name = ".."
		default:
			e = entries[at-dots]
		}
		if !add(l, e, fuse.DirEntry{Name: e.Name, Mode: fuseMode(typeOf(e.Node)), Ino: e.Node.Ino(), Off: at + 1}) {
			break
		}
	}
	return fuse.OK
}
