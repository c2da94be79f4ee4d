package store

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// A state is what a Store shows at one moment. It never changes.
type state struct {
	sessions   []*Session // sorted by Rel
	skipped    []Skipped  // sorted by Path
	generation uint64
}

// A file is a *.jsonl file that a survey has found, and what was made of it.
type file struct {
	found
	facts   facts    // as of when it was opened
	head    *head    // nil if it is no session
	reason  string   // why it is none
	session *Session // nil if it is none, or shows at another path
}

// unread tells that the file has not been opened yet, or could not be.
func (f *file) unread() bool { return f.facts == facts{} }

// silent tells that nobody tells when the file is written to: it is not in a watched
// directory, or has a name in another one.
func (f *file) silent() bool { return f.unheard || f.facts.links > 1 }

// Which of the known files reconcile is to look at.
func allFiles(*file) bool { return true }
func noFile(*file) bool   { return false }

// update brings the store in line with its directories and the files that are
// dirty.
func (s *Store) update(dirty func(*file) bool) { s.lookAt(s.reconcile(dirty)) }

// lookAt looks at sessions whose files have changed.
func (s *Store) lookAt(sessions []*Session) {
	left := false
	for _, x := range sessions {
		o := x.look(false)
		s.tell(x, o)
		left = left || o.left
	}
	if left {
		s.update(noFile)
	}
}

// tell passes on what a look has given.
func (s *Store) tell(x *Session, o outcome) {
	if o.changed {
		s.changes.push(Change{x, Grown})
	}
	if o.again > 0 && s.watcher != nil {
		s.watcher.schedule(x, o.again)
	}
}

// reconcile goes over the directories, makes sessions of new files and of files
// that were replaced, and ends those of files that are gone. dirty tells which of
// the known files may have changed. It returns the sessions whose files have, for
// the caller to look at when no lock is held.
func (s *Store) reconcile(dirty func(*file) bool) []*Session {
	s.reconciling.Lock()
	defer s.reconciling.Unlock()
	if s.closed.Load() {
		return nil
	}
	s.counts.surveys.Add(1)
	land := s.survey.take()
	s.database = land.database
	files, stale := s.match(land.files, dirty)
	changed := s.probe(stale)
	s.show(files, land)
	if s.watcher != nil {
		s.watcher.settle(s.survey.listings, land.silent || slices.ContainsFunc(files, (*file).silent))
	}
	return changed
}

// match brings the table of files in line with what was found. It returns the
// files in that order, and those that have to be looked at.
func (s *Store) match(all []found, dirty func(*file) bool) (files, stale []*file) {
	files = make([]*file, len(all))
	table := make(map[string]*file, len(all))
	for i, fd := range all {
		f, known := s.table[fd.path]
		if !known {
			f = &file{}
		}
		f.found = fd
		files[i], table[fd.path] = f, f
		if f.unread() || f.session != nil && f.session.gone.Load() || dirty(f) {
			stale = append(stale, f)
		}
	}
	s.table = table
	return files, stale
}

// probe looks at files, many of them with all processors, and returns the sessions
// whose files have changed.
func (s *Store) probe(files []*file) (changed []*Session) {
	var (
		next    atomic.Int64
		mu      sync.Mutex
		workers sync.WaitGroup
	)
	work := func() {
		heads := newHeadReader()
		for {
			i := int(next.Add(1)) - 1
			if i >= len(files) {
				return
			}
			if f := files[i]; s.probeFile(f, heads) {
				mu.Lock()
				changed = append(changed, f.session)
				mu.Unlock()
			}
		}
	}
	for range min(max(2, runtime.GOMAXPROCS(0)), len(files)/64) {
		workers.Go(work)
	}
	work()
	workers.Wait()
	return changed
}

// probeFile finds out whether a file is a session. changed tells that it is the
// one that it was, but has changed.
func (s *Store) probeFile(f *file, heads *headReader) (changed bool) {
	if !f.unread() {
		switch now, err := statPath(f.path); {
		case err != nil:
		case f.session == nil && now == f.facts:
			return false
		case f.session != nil && !f.session.gone.Load() && now.fileID == f.session.id:
			return now != *f.session.facts.Load()
		}
	}
	f.session = nil
	s.counts.heads.Add(1)
	f.readHead(heads)
	return false
}

// readHead finds out whether a file that was never seen, or is another one now, is
// a session.
func (f *file) readHead(heads *headReader) {
	*f = file{found: f.found}
	raw, err := openRaw(f.path)
	if err == nil {
		defer raw.close()
		f.facts, err = raw.facts()
	}
	switch {
	case err != nil:
	case !f.facts.regular():
		err = notSession("no regular file")
	default:
		f.head, err = heads.read(raw, f.facts.size)
	}
	if skip := notSession(""); errors.As(err, &skip) {
		f.reason = skip.Error()
	} else if err != nil && !isGone(err) {
		f.reason = reasonOf(err)
	}
}

// show publishes the sessions among the files. A file that is reached by several
// paths shows at the first.
func (s *Store) show(files []*file, land landscape) {
	old := s.state.Load()
	next := &state{sessions: make([]*Session, 0, len(files)), skipped: land.skipped}
	taken := make(map[fileID]bool, len(files))
	var added []Change
	for _, f := range files {
		switch {
		case f.head == nil:
			if f.reason != "" {
				next.skipped = append(next.skipped, Skipped{f.path, f.reason})
			}
			continue
		case taken[f.facts.fileID]:
			f.session = nil
			continue
		case f.session == nil:
			f.session = s.newSession(f)
			added = append(added, Change{f.session, Added})
		}
		taken[f.facts.fileID] = true
		next.sessions = append(next.sessions, f.session)
	}
	slices.SortFunc(next.sessions, func(a, b *Session) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.Dir, b.Dir))
	})
	slices.SortFunc(next.skipped, func(a, b Skipped) int { return cmp.Compare(a.Path, b.Path) })
	s.publish(old, next, added)
}

// publish makes next what the store shows, and then tells of the difference.
func (s *Store) publish(old, next *state, added []Change) {
	shown := make(map[*Session]bool, len(next.sessions))
	for _, x := range next.sessions {
		shown[x] = true
	}
	var news []Change
	for _, x := range old.sessions {
		if !shown[x] {
			x.gone.Store(true)
			s.files.forget(x)
			news = append(news, Change{x, Removed})
		}
	}
	news = append(news, added...)
	next.generation = old.generation
	if len(news) > 0 {
		next.generation++
	}
	s.state.Store(next)
	s.changes.push(news...)
}

// newSession makes a session of a file.
func (s *Store) newSession(f *file) *Session {
	s.slot++
	x := &Session{Slot: s.slot, Dir: f.root, Path: f.path, Rel: f.rel, store: s, id: f.facts.fileID, head: f.head}
	facts := f.facts
	x.facts.Store(&facts)
	return x
}

// sessionsAt returns the sessions whose files have changed. others tells that files
// or directories came or went too.
func (s *Store) sessionsAt(n news) (sessions []*Session, others bool) {
	s.reconciling.Lock()
	defer s.reconciling.Unlock()
	others = n.came || n.moved
	for path := range n.files {
		if f := s.table[path]; f != nil && f.session != nil {
			sessions = append(sessions, f.session)
		} else {
			others = true
		}
	}
	for _, path := range n.names {
		others = others || s.survey.lists(path) || mayHoldFiles(path)
	}
	s.watcher.unwatch(n)
	return sessions, others
}
