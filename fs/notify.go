package fs

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/pifs/pifs/store"
)

// Notices tell the kernel what it must give up of what it keeps: attributes, the lists
// of directories, and few names. They come from a goroutine of their own, never from a
// request's handler.
//
// For a name the kernel waits for the lock of its directory, and for a page of a file
// for that of the page. A request that is under way may hold either, and a daemon that
// is killed just then never ends: it waits, beyond the reach of signals, for its own
// answer, and with it whoever has asked. So the names that change while a session is
// in use are not kept (see nameKept), and only those are given up by notices that
// change once in a while: of projects and sessions that are gone, and current of a
// session that was at rest. The pages of a file go when the kernel finds that its
// attributes have changed.
type notices struct {
	f       *fuseFS
	changes atomic.Uint64 // counts the times that something was given up

	mu      sync.Mutex
	grown   map[uint32]bool   // slots of sessions that have grown
	lists   map[ID]bool       // directories whose lists were read while they changed
	waiting []chan<- struct{} // who waits until all that has been noted is sent
	wake    chan struct{}
	stopped bool

	layout *layout          // what the kernel was last shown; set before follow
	shown  map[uint32]shown // by slot, what it may keep of a session
}

// shown is what tells whether more must be given up than what every entry changes.
type shown struct {
	title  string
	labels []string
}

// newNotices returns the notices of a front.
func newNotices(f *fuseFS) *notices {
	return &notices{
		f:     f,
		grown: make(map[uint32]bool),
		lists: make(map[ID]bool),
		wake:  make(chan struct{}, 1),
		shown: make(map[uint32]shown),
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

// announceTime is for how long the answer to a write may wait for the notices.
const announceTime = 100 * time.Millisecond

// announce takes note of a change made through the mount, and waits until the notices
// of it are sent: who has written a name must not be shown the old one, anywhere.
func (n *notices) announce(slot uint32) {
	sent := make(chan struct{})
	n.mu.Lock()
	if n.stopped {
		n.mu.Unlock()
		return
	}
	n.grown[slot] = true
	n.waiting = append(n.waiting, sent)
	n.awake()
	n.mu.Unlock()
	select {
	case <-sent:
	case <-time.After(announceTime):
	}
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
	grown, lists, waiting := n.grown, n.lists, n.waiting
	n.grown, n.lists, n.waiting = make(map[uint32]bool), make(map[ID]bool), nil
	n.mu.Unlock()
	defer func() {
		for _, sent := range waiting {
			close(sent)
		}
	}()
	// Sessions that come or go may be in the layout before the store tells of them.
	now := n.f.t.layout()
	if len(grown) > 0 || now != n.layout {
		n.changes.Add(1)
	}
	for id := range lists {
		n.list(id)
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

// attr gives up a node's attributes, list also what a directory lists, name what a name
// in a directory means.
func (n *notices) attr(id ID)               { n.f.server.InodeNotify(uint64(id), -1, 0) }
func (n *notices) list(id ID)               { n.f.server.InodeNotify(uint64(id), 0, 0) }
func (n *notices) name(dir ID, name string) { n.f.server.EntryNotify(uint64(dir), name) }

// sendGrown gives up what an appended entry can have changed.
func (n *notices) sendGrown(st *seat) {
	s := n.f.t.session(st.session)
	s.grown.Store(time.Now().UnixNano())
	n.sendCurrent(s)
	n.sendSession(st.session)
	n.sendWritten(s, st)
	n.attr(projectDir{t: n.f.t, p: st.project}.ID())
	n.attr(rootID)
}

// sendSession gives up the length of a session's transcript and what its directories list.
func (n *notices) sendSession(s *store.Session) {
	for _, slot := range n.f.t.slots(s) {
		n.attr(makeID(kindTranscript, slot, 0))
	}
	n.listsOf(s, kindSession, kindBranches, kindEntries, kindImages, kindLabels)
}

// sendGone gives up what somebody still uses of a session that is gone: who follows its
// transcript is told so, and who stands in its directories may find another one there.
func (n *notices) sendGone(s *store.Session) {
	n.sendSession(s)
	n.listsOf(s, kindChildren)
	n.current(s)
}

// listsOf gives up the lists of directories of a session.
func (n *notices) listsOf(s *store.Session, kinds ...kind) {
	for _, slot := range n.f.t.slots(s) {
		for _, k := range kinds {
			n.list(makeID(k, slot, 0))
		}
	}
}

// sendCurrent gives up where current leads if it leads elsewhere now. What is written
// through the mount never changes that, so that no request waits for it.
func (n *notices) sendCurrent(s *session) {
	kept := s.currentKept.Load()
	if kept == 0 {
		return
	}
	if v, _, err := s.view(); err == nil && v.Tree.Current() == int(kept)-1 {
		return
	}
	s.currentKept.CompareAndSwap(kept, 0)
	n.current(s.store)
}

// current gives up where current of a session leads.
func (n *notices) current(s *store.Session) {
	for _, slot := range n.f.t.slots(s) {
		n.name(makeID(kindSession, slot, 0), nameCurrent)
	}
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
	for _, list := range [][]string{was.labels, now.labels} {
		for _, text := range list {
			n.attr(labelFile{s, n.f.t.labels.of(text)}.ID())
		}
	}
	n.attr(nameFile{s}.ID())
	if was.title != now.title {
		n.list(titlesDir{t: n.f.t, p: st.project}.ID())
	}
}

// sendLayout gives up the names that are gone and the lists that have changed.
func (n *notices) sendLayout(old, now *layout) {
	n.list(rootID)
	for _, p := range old.projects {
		same := now.byKey[p.key]
		if same == nil || same.name != p.name {
			n.name(rootID, p.name)
		}
		n.sendProject(p, same)
	}
}

// sendProject gives up what has changed in a project; now is nil if it is gone.
func (n *notices) sendProject(old, now *project) {
	dir := projectDir{t: n.f.t, p: old}.ID()
	changed := now == nil || len(now.seats) != len(old.seats)
	for _, st := range old.seats {
		var same *seat
		if now != nil {
			same = now.byName[st.name]
		}
		if same == nil || same.session != st.session {
			changed = true
			n.name(dir, st.name)
			n.sendGone(st.session)
			delete(n.shown, st.session.Slot)
		}
		if same != nil && len(same.forks) != len(st.forks) {
			n.listsOf(st.session, kindChildren)
		}
		if same != nil && (same.parent == nil) != (st.parent == nil) {
			n.listsOf(st.session, kindSession)
		}
	}
	if changed {
		n.list(dir)
		n.list(titlesDir{t: n.f.t, p: old}.ID())
	}
}
