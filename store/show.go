package store

import (
	"cmp"
	"slices"
)

// A state is what a Store shows at one moment. It never changes.
type state struct {
	sessions   []*Session // sorted by Rel
	skipped    []Skipped  // sorted by Path
	generation uint64
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
				next.skipped = append(next.skipped, Skipped{f.path, f.reason, f.unreadable})
			}
			continue
		case taken[f.facts.fileID]:
			f.session = nil
			continue
		case f.session == nil: // another path had it
			f.session = s.newSession(f)
		}
		if f.session.Slot == 0 {
			s.slot++
			f.session.Slot = s.slot
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
	news := make([]Change, 0, len(added))
	for _, x := range missing(old.sessions, next.sessions) {
		x.gone.Store(true)
		s.files.forget(x)
		news = append(news, Change{x, Removed})
	}
	news = append(news, added...)
	next.generation = old.generation
	if len(news) > 0 {
		next.generation++
	}
	s.state.Store(next)
	s.changes.push(news...)
}

// missing returns the sessions of old that are not in next.
func missing(old, next []*Session) (gone []*Session) {
	if len(old) == 0 {
		return nil
	}
	shown := make(map[*Session]bool, len(next))
	for _, x := range next {
		shown[x] = true
	}
	for _, x := range old {
		if !shown[x] {
			gone = append(gone, x)
		}
	}
	return gone
}

// newSession makes a session of a file. It gets its slot when it is shown.
func (s *Store) newSession(f *file) *Session {
	x := &Session{Dir: f.root, Path: f.path, Rel: f.rel, store: s, id: f.facts.fileID, head: f.head}
	facts := f.facts
	x.facts.Store(&facts)
	return x
}
