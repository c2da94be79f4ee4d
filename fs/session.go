package fs

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// keptVersions is how many versions of a session's changing texts can be read:
// whoever holds info.json open while it changes reads on undisturbed until this
// many changes have come.
const keptVersions = 8

// A session is what the tree remembers of a session of the store: the versions
// that it has shown, and the lengths of what it has rendered.
type session struct {
	tree     *Tree
	store    *store.Session
	identity uint64 // a hash of where the file is

	fragments pieces // of context.md, transcript.md and entries/<id>.md
	messages  pieces // of context.json: an entry's messages

	mu       sync.Mutex
	versions []*store.View // the newest last
	version  uint32        // number of the newest

	gathered map[uint8]int32 // by kind in the cache, of how many entries something was gathered last

	appending sync.Mutex              // held during a change
	heir      atomic.Pointer[session] // see inherit

	// currentKept is the entry, plus one, to which the kernel keeps that current
	// leads; 0 if it keeps nothing.
	currentKept atomic.Uint32
	grown       atomic.Int64 // when the session was last seen to have grown, Unix nanoseconds

	prefilling sync.Mutex  // held while the kernel is given the transcript
	maybeRead  atomic.Bool // the kernel may read the transcript: see prefill
}

// newSession returns what the tree remembers of a session that it has not shown yet.
func newSession(t *Tree, st *store.Session) *session {
	s := &session{tree: t, store: st, identity: inoOf(kindSession, st.Dir+"\x00"+st.Rel)}
	s.fragments.of(s, cachedFragments, "fragments", s.fragmentForm)
	s.messages.of(s, cachedMessages, "messages", s.messagesForm)
	return s
}

// liveTime is how long after the last write a session may still be in use.
const liveTime = 10 * time.Minute

// live tells whether the session was written to a short while ago, as its file says or
// as was seen: there are programs that set the file's time back.
func (s *session) live() bool {
	return time.Since(time.Unix(0, s.store.Stat().MtimeNS)) < liveTime ||
		time.Since(time.Unix(0, s.grown.Load())) < liveTime
}

// keepCurrent tells whether the kernel may keep that current leads to entry at, and
// takes note of it. In a session that is in use it may not: see notices.
func (s *session) keepCurrent(at uint32) bool {
	if s.live() {
		return false
	}
	s.currentKept.Store(at + 1)
	// Of a change from here on the kernel will be told.
	v, _, err := s.view()
	return err == nil && v.Tree.Current() == int(at)
}

// view returns the session's newest state and its version.
func (s *session) view() (*store.View, uint32, error) {
	v, err := s.store.View()
	if err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.versions)
	if n == 0 || s.versions[n-1].Size <= v.Size && s.versions[n-1] != v {
		s.versions = append(s.versions, v)
		s.version++
		if len(s.versions) > keptVersions {
			s.versions = s.versions[1:]
		}
	}
	return s.versions[len(s.versions)-1], s.version, nil
}

// date is the time of the session's last user or assistant message, the file's if
// there is none or the session can't be read. It scans nothing.
func (s *session) date() int64 {
	if ms, err := s.store.LastMessage(); err == nil && ms != model.NoTime {
		return ms
	}
	return s.store.Stat().MtimeNS / 1e6
}

// at returns the state that was the session's with the given version.
func (s *session) at(version uint32) (*store.View, error) {
	if _, _, err := s.view(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	back := int(s.version) - int(version)
	if back < 0 || back >= len(s.versions) {
		return nil, ErrStale
	}
	return s.versions[len(s.versions)-1-back], nil
}

// entry returns the newest state if it has the entry i.
func (s *session) entry(i uint32) (*store.View, error) {
	v, _, err := s.view()
	if err != nil {
		return nil, err
	}
	if int(i) >= v.Tree.Len() {
		return nil, ErrStale
	}
	return v, nil
}

// ino is the inode number of a node of this session. Entries are told apart by
// their place in the file, which never changes.
func (s *session) ino(k kind, numbers ...uint64) uint64 { return mixIno(s.identity, k, numbers...) }

// timeOf is the time of entry i: its own, else the nearest good one in the file,
// else the file's. In Unix milliseconds.
func timeOf(v *store.View, i int) int64 {
	if i != tree.None {
		if t := v.Tree.NearTime(i); t != model.NoTime {
			return t
		}
	}
	return v.Mtime / 1e6
}

// modified is the time of the session's last user or assistant message.
func modified(v *store.View) int64 {
	if v.Summary.Modified != model.NoTime {
		return v.Summary.Modified
	}
	return v.Mtime / 1e6
}

// created is the time of the session's header, else that of its first entry.
func created(v *store.View) int64 {
	if v.Summary.Created != model.NoTime {
		return v.Summary.Created
	}
	if v.Tree.Len() > 0 {
		return timeOf(v, 0)
	}
	return v.Mtime / 1e6
}

// lastTime is the time of the last entry: that of texts that tell of them all.
func lastTime(v *store.View) int64 {
	if n := v.Tree.Len(); n > 0 {
		return timeOf(v, n-1)
	}
	return created(v)
}
