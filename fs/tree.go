package fs

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pifs/pifs/store"
)

// Options of New.
type Options struct {
	CacheBytes  int64  // budget of all caches; 0 means 64 MiB
	ReadOnly    bool   // refuse all changes
	AllowDelete bool   // let rmdir of a session's directory delete the session
	NoSync      bool   // do not wait for the disk after a change
	Version     string // what .pifs/version says
}

// defaultCacheBytes is the budget of the caches unless Options say otherwise.
const defaultCacheBytes = 64 << 20

// A Tree is the tree over a store, whatever the front. It is safe for concurrent
// use.
type Tree struct {
	store   *store.Store
	options Options
	cache   *store.Cache
	stats   stats
	log     *log
	meta    metaTexts
	started time.Time

	// announce, if not nil, tells whoever shows the tree that the session of a slot
	// was changed through it, and waits until nothing old is shown.
	announce func(slot uint32)

	// pairs numbers the sessions' entries whose path or images were looked at,
	// keys the projects, labels the labels: what an ID cannot hold.
	pairs  interner[pair]
	keys   interner[string]
	labels interner[string]

	// No lock is held while another is taken, or while a file is read.
	mu       sync.Mutex
	sessions map[uint32]*session // by slot
	left     map[uint32]string   // the files of sessions that are gone, by slot

	// Of sessions that are no more, by slot: the slots of their heirs, and the paths of
	// those in whose directories somebody stands.
	heirs  map[uint32]uint32
	stands map[uint32]string

	migrating map[uint32]*session // whose files are being migrated, by slot
	arranged  *layout
	of        uint64 // the store's generation that arranged is made of
}

// A pair is an entry of a session.
type pair struct {
	slot  uint32
	entry uint32
}

// stats counts what the tree does, for .pifs/stats.json and for tests.
type stats struct {
	renders  atomic.Int64 // fragments rendered
	calls    atomic.Int64 // requests of the kernel
	prefills atomic.Int64 // transcripts given to the kernel with their length
}

// New returns the tree of a store.
func New(st *store.Store, o Options) *Tree {
	if o.CacheBytes <= 0 {
		o.CacheBytes = defaultCacheBytes
	}
	return &Tree{
		store:    st,
		options:  o,
		cache:    store.NewCache(o.CacheBytes),
		log:      &log{},
		started:  time.Now(),
		sessions: make(map[uint32]*session),
		left:     make(map[uint32]string),
		heirs:    make(map[uint32]uint32),
		stands:   make(map[uint32]string),

		migrating: make(map[uint32]*session),
	}
}

// Requests returns how many requests of a kernel there have been.
func (t *Tree) Requests() int64 { return t.stats.calls.Load() }

// Rest does what can be done when nobody has asked for anything for a while: it gives
// up what is kept beyond the budget of the caches, and has the store write down what it
// keeps for later processes, in case that this one is killed.
func (t *Tree) Rest() {
	t.cache.Rest()
	t.keepLengths()
	t.store.Flush()
}

// Root returns the root directory.
func (t *Tree) Root() Dir { return rootDir{t} }

// layout returns the arrangement of the sessions as the store has them now.
func (t *Tree) layout() *layout {
	generation := t.store.Generation()
	t.mu.Lock()
	l, of := t.arranged, t.of
	t.mu.Unlock()
	if l != nil && of == generation {
		return l
	}
	l = newLayout(t.store.Sessions())
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arranged == nil || generation > t.of {
		t.arranged, t.of = l, generation
		for slot := range t.sessions {
			if l.bySlot[slot] == nil {
				t.left[slot] = t.sessions[slot].store.Path
				delete(t.sessions, slot)
			}
		}
	}
	return t.arranged
}

// session returns what the tree remembers of a session of the store.
func (t *Tree) session(st *store.Session) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[st.Slot]
	if s == nil {
		s = newSession(t, st)
		t.sessions[st.Slot] = s
	}
	return s
}

// seated returns the session with a slot and its seat, ErrStale if it is gone.
func (t *Tree) seated(slot uint32) (*session, *seat, error) {
	st := t.layout().bySlot[slot]
	if st == nil {
		return nil, nil, ErrStale
	}
	return t.session(st.session), st, nil
}

// Node returns the node that has the ID, ErrStale if it is gone.
func (t *Tree) Node(id ID) (Node, error) {
	k, a, b := id.parts()
	switch k {
	case kindRoot:
		return rootDir{t}, nil
	case kindMeta:
		return metaDir{t}, nil
	case kindMetaFile:
		return wholeFile{metaFile{t, b}}, nil
	case kindProject, kindCwd, kindLatest, kindTitles, kindTitle:
		return t.projectNode(k, a, b)
	case kindStep, kindImage:
		p, ok := t.pairs.at(a)
		if !ok {
			return nil, ErrStale
		}
		s, _, err := t.holder(p.slot, k)
		if err != nil {
			return nil, err
		}
		if k == kindStep {
			return pathStep{s, p.entry, b}, nil
		}
		return wholeFile{imageFile{s, p.entry, b}}, nil
	}
	s, seat, err := t.holder(a, k)
	if err != nil {
		return nil, err
	}
	if n := s.node(seat, k, b); n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("%w: no node %#x", ErrStale, uint64(id))
}

// node returns the node of a session that has a kind and a number, nil if there
// is no such kind.
func (s *session) node(st *seat, k kind, b uint32) Node {
	switch k {
	case kindSession:
		return sessionDir{s: s, st: st}
	case kindName:
		return writableFile{nameFile{s}}
	case kindLabels:
		return labelsDir{s: s}
	case kindLabel:
		return writableFile{labelFile{s, b}}
	case kindLabelOf:
		return writableFile{entryLabel{s, b}}
	case kindInfo, kindTreeText, kindFilesText:
		return wholeFile{textFile{s, k, b}}
	case kindTranscript:
		return compositeFile{transcriptFile{s}}
	case kindSource:
		return sourceLink{s}
	case kindParent, kindChild:
		return forkLink{s, k, b}
	case kindChildren:
		return childrenDir{s, st}
	case kindCurrent:
		return currentLink{s, b}
	case kindBranches:
		return branchesDir{s}
	case kindBranch:
		return branchDir{s, b}
	case kindContext, kindContextJSON:
		return compositeFile{contextFile{s, k, b}}
	case kindPath:
		return pathDir{s, b}
	case kindEntries:
		return entriesDir{s}
	case kindEntryJSON:
		return wholeFile{entryJSON{s, b}}
	case kindEntry:
		return entryText{s, b}
	case kindImages:
		return imagesDir{s}
	}
	return nil
}

// changed tells whoever shows the tree of a change that was made through it.
func (t *Tree) changed(slot uint32) {
	if t.announce != nil {
		t.announce(slot)
	}
}
