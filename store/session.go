package store

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pifs/pifs/model"
)

// A Session is one file of the store. Its methods are safe for concurrent use.
type Session struct {
	Slot uint32 // counts the sessions that this Store has seen, from 1; never used twice
	Dir  string // the store directory given to Open, absolute
	Path string // the file, absolute
	Rel  string // the file below Dir

	store *Store
	id    fileID
	head  *head

	facts atomic.Pointer[facts] // as last seen
	view  atomic.Pointer[View]  // the newest, nil before the first
	last  atomic.Pointer[lastSeen]
	gone  atomic.Bool // the session has left the store, or is about to

	mu     sync.Mutex // held while the file is looked at: one scan at a time
	index  *index     // of view; nil before the first
	growth growth
}

// growth is what is remembered from one look at a file to the next.
type growth struct {
	since   time.Time // when the facts were first seen
	checked int64     // the ctime at which all bytes were known to be the same
	proof   facts     // of the file with the bytes that the index has, none if it was changed just then
	kept    int64     // so many bytes has the index seen that is kept on disk

	// broken tells when the file was first seen without the bytes that were read:
	// somebody is rewriting it, or has. settling is what it looked like at the
	// last look, and since when.
	broken, settled time.Time
	settling        facts
}

// Name is the session's name without regard to others: the file's without .jsonl.
func (s *Session) Name() string {
	return strings.TrimSuffix(s.Rel[strings.LastIndexByte(s.Rel, '/')+1:], suffix)
}

// Header returns the session's header.
func (s *Session) Header() model.Header { return s.head.header }

// Cwd returns the header's cwd, "" if it has none.
func (s *Session) Cwd() string { return s.head.header.Cwd.Text() }

// ReadOnly tells why the session must not be written to: a dialect of another
// program or version. "" if it may.
func (s *Session) ReadOnly() string { return s.head.readOnly }

// Stat returns the file's facts as last seen.
func (s *Session) Stat() Stat { return s.facts.Load().stat() }

// Stat is what is used of a file's stat.
type Stat struct {
	Mode    uint32 // permission bits, setuid, setgid and sticky
	UID     uint32
	GID     uint32
	MtimeNS int64
	Size    int64
}

// View returns the session's newest state. The first call scans the file; later
// ones return what is there, and what has been added since (in a Store that
// watches: as soon as it is seen; else at Refresh). ErrReplaced if the session is
// no longer in the store.
func (s *Session) View() (*View, error) {
	if s.gone.Load() {
		return nil, ErrReplaced
	}
	if v := s.view.Load(); v != nil {
		return v, nil
	}
	return s.Refresh()
}

// Refresh looks at the file now and returns its newest state. It reads what was
// appended, no more. ErrReplaced if the file is no longer the one it was; the
// store then has, or will shortly have, another session in its place.
func (s *Session) Refresh() (*View, error) {
	o := s.look(true)
	s.store.tell(s, o)
	if o.left {
		s.store.update(noFile)
	}
	switch {
	case o.err != nil:
		return nil, o.err
	case o.verdict != intact:
		return nil, ErrReplaced
	}
	return s.view.Load(), nil
}
