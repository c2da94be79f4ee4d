package store

import (
	"slices"
)

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
	files := make([]*file, 0, len(s.table))
	table := make(map[string]*file, len(s.table))
	p := s.newProbing()
	land := s.survey.take(func(fd found) {
		f := s.fileAt(fd)
		files, table[fd.path] = append(files, f), f
		if f.unread() || f.session != nil && f.session.gone.Load() || dirty(f) {
			p.add(f)
		}
	})
	changed := p.end()
	s.database, s.table = land.database, table
	s.show(files, land)
	if s.watcher != nil {
		s.watcher.settle(s.survey.listings, land.silent || slices.ContainsFunc(files, (*file).silent))
	}
	return changed
}

// fileAt returns the file of the table that was found, a new one if it is not known.
func (s *Store) fileAt(fd found) *file {
	f := s.table[fd.path]
	if f == nil {
		f = &file{}
	}
	f.found = fd
	return f
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
