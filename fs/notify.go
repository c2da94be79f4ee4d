package fs

import (
	"sync"
	"sync/atomic"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

// Notices tell the kernel what it must give up of what it keeps, from a goroutine
// of their own: a notice that waits for an inode which a request holds must hold
// nothing that the request's handler needs.
type notices struct {
	f       *fuseFS
	changes atomic.Uint64 // counts the times that something was given up

	mu      sync.Mutex
	grown   map[uint32]bool // slots of sessions that have grown
	lists   map[ID]bool     // directories whose lists were read while they changed
	wake    chan struct{}
	stopped bool

	layout *layout          // what the kernel was last shown
	shown  map[uint32]shown // by slot, what it may keep of a session
}

// shown is what must be given up by name when a session changes.
type shown struct {
	title  string
	labels []string
}

// newNotices returns the notices of a front.
func newNotices(f *fuseFS) *notices {
	return &notices{
		f:      f,
		grown:  make(map[uint32]bool),
		lists:  make(map[ID]bool),
		wake:   make(chan struct{}, 1),
		layout: f.t.layout(),
		shown:  make(map[uint32]shown),
	}
}

// follow begins to pass on the store's changes. stop ends that.
func (n *notices) follow() (stop func()) {
	n.f.t.store.Subscribe(n.add)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range n.wake {
			n.send()
		}
	}()
	return func() {
		n.mu.Lock()
		n.stopped = true
		close(n.wake)
		n.mu.Unlock()
		<-done
	}
}

// add takes note of a change. It does not wait.
func (n *notices) add(c store.Change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.Kind == store.Grown {
		n.grown[c.Session.Slot] = true
	}
	n.awake()
}

// addList takes note of a directory whose list must be given up again.
func (n *notices) addList(id ID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lists[id] = true
	n.awake()
}

// awake has send called, with the lock held.
func (n *notices) awake() {
	if n.stopped {
		return
	}
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// send passes on what has been noted.
func (n *notices) send() {
	n.mu.Lock()
	grown, lists := n.grown, n.lists
	n.grown, n.lists = make(map[uint32]bool), make(map[ID]bool)
	n.mu.Unlock()
	// Sessions that come or go may be in the layout before the store tells of them.
	now := n.f.t.layout()
	if len(grown) > 0 || now != n.layout {
		n.changes.Add(1)
	}
	for id := range lists {
		n.content(id, 0)
	}
	if now != n.layout {
		n.sendLayout(n.layout, now)
		n.layout = now
	}
	for slot := range grown {
		if st := n.layout.bySlot[slot]; st != nil {
			n.sendGrown(st)
		}
	}
}

// attr gives up a node's attributes, content all that is kept of it, from a byte
// on, name what a name in a directory means.
func (n *notices) attr(id ID)                { n.f.server.InodeNotify(uint64(id), -1, 0) }
func (n *notices) content(id ID, from int64) { n.f.server.InodeNotify(uint64(id), from, 0) }
func (n *notices) name(dir Dir, name string) { n.f.server.EntryNotify(uint64(dir.ID()), name) }

// sendGrown gives up what an appended entry can have changed.
func (n *notices) sendGrown(st *seat) {
	t := n.f.t
	s := t.session(st.session)
	dir := sessionDir{s: s, st: st}
	for _, name := range []string{nameInfo, nameTree, nameFiles, nameCurrent} {
		n.name(dir, name)
	}
	n.content(dir.ID(), 0) // current may have come
	transcript := transcriptFile{s}
	const pageBytes = 4096
	// The page in which the old text ended is full of zeros from there on.
	n.content(transcript.ID(), s.transcriptShown.Load()&^(pageBytes-1))
	for _, d := range []Dir{branchesDir{s}, entriesDir{s}, imagesDir{s}} {
		n.content(d.ID(), 0)
	}
	n.sendWritten(s, st)
	project := projectDir{t: t, p: st.project}
	n.attr(project.ID())
	n.attr(rootID)
	n.name(project, nameLatest)
}

// sendWritten gives up the session's name and labels, old and new.
func (n *notices) sendWritten(s *session, st *seat) {
	v, _, err := s.view()
	if err != nil {
		return
	}
	now := shown{title: seatTitle(v.Summary)}
	for _, l := range v.Tree.Labels() {
		now.labels = append(now.labels, l.Text)
	}
	was := n.shown[st.session.Slot]
	n.shown[st.session.Slot] = now
	labels := labelsDir{s: s}
	for _, list := range [][]string{was.labels, now.labels} {
		for _, text := range list {
			n.content(labelFile{s, n.f.t.labels.of(text)}.ID(), 0)
			n.name(labels, labelName(v.Tree, text))
		}
	}
	n.content(labels.ID(), 0)
	n.content(nameFile{s}.ID(), 0)
	if was.title != now.title {
		titles := titlesDir{t: n.f.t, p: st.project}
		n.content(titles.ID(), 0)
		n.name(titles, model.FileName(was.title))
		n.name(titles, model.FileName(now.title))
	}
}

// sendLayout gives up the names that are gone and the lists that have changed.
func (n *notices) sendLayout(old, now *layout) {
	n.content(rootID, 0)
	for _, p := range old.projects {
		if now.byName[p.name] == nil || now.byName[p.name].key != p.key {
			n.name(n.f.t.Root(), p.name)
		}
	}
	for _, p := range old.projects {
		n.sendProject(p, now.byKey[p.key])
	}
	for _, p := range now.projects {
		if old.byKey[p.key] == nil {
			n.name(n.f.t.Root(), p.name)
		}
	}
}

// sendProject gives up what has changed in a project; now is nil if it is gone.
func (n *notices) sendProject(old, now *project) {
	dir, titles := projectDir{t: n.f.t, p: old}, titlesDir{t: n.f.t, p: old}
	changed := now == nil || len(now.seats) != len(old.seats)
	for _, st := range old.seats {
		var same *seat
		if now != nil {
			same = now.byName[st.name]
		}
		if same == nil || same.session != st.session {
			changed = true
			n.name(dir, st.name)
			n.name(titles, model.FileName(n.shown[st.session.Slot].title))
			delete(n.shown, st.session.Slot)
		}
		if same != nil && len(same.forks) != len(st.forks) {
			n.content(childrenDir{n.f.t.session(st.session), st}.ID(), 0)
		}
		n.name(sessionDir{s: n.f.t.session(st.session), st: st}, nameParent)
	}
	if changed {
		n.content(dir.ID(), 0)
		n.content(titles.ID(), 0)
		n.name(dir, nameLatest)
	}
}
