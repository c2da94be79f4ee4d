package fs

import (
	"errors"
	"time"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// A change migrates the file of a session of version 1 or 2. To the store that is another
// session then. To who has files of it open or stands in its directories it is the same
// one, the heir, since entries, ids and texts stay. Who asks for anything of the session
// meanwhile waits (see Tree.settled).

// publishTime is how long it may take until the store shows a file that was replaced.
const publishTime = 2 * time.Second

// migrates tells whether a change of v migrates its file.
func migrates(v *store.View) bool { return v.Version == 1 || v.Version == 2 }

// inherit returns the session that s has become if a change has just migrated its file,
// else s; was is what s was before.
func (s *session) inherit(was *store.View) *session {
	t := s.tree
	if _, err := s.store.View(); !errors.Is(err, store.ErrReplaced) {
		return s
	}
	for end := time.Now().Add(publishTime); ; time.Sleep(time.Millisecond) {
		st := t.layout().register().byPath[s.store.Path]
		if st != nil && st.session != s.store {
			return s.inheritBy(t.session(st.session), was)
		}
		if time.Now().After(end) {
			return s
		}
	}
}

// inheritBy makes heir the heir of s if it has all that s had.
func (s *session) inheritBy(heir *session, was *store.View) *session {
	now, _, err := heir.view()
	if err != nil || !begins(now.Tree, was.Tree) {
		return s
	}
	t := s.tree
	t.mu.Lock()
	t.heirs[s.store.Slot] = heir.store.Slot
	t.mu.Unlock()
	s.heir.Store(heir)
	return heir
}

// begins tells whether the entries of t begin with those of u.
func begins(t, u *tree.Tree) bool {
	if t.Len() < u.Len() {
		return false
	}
	for i := range u.Len() {
		if t.ID(i) != u.ID(i) {
			return false
		}
	}
	return true
}

// settled waits until no change is migrating the session with a slot.
func (t *Tree) settled(slot uint32) {
	t.mu.Lock()
	s := t.migrating[slot]
	t.mu.Unlock()
	if s != nil {
		s.appending.Lock()
		defer s.appending.Unlock()
	}
}

// holder is seated for the session that has the nodes of kind k of the session with a
// slot: that session, its heir or, of some kinds, the one that its file is of now.
func (t *Tree) holder(slot uint32, k kind) (*session, *seat, error) {
	t.settled(slot)
	s, st, err := t.seated(slot)
	if err == nil {
		return s, st, nil
	}
	t.mu.Lock()
	path, left := t.left[slot]
	heir, migrated := t.heirs[slot]
	t.mu.Unlock()
	if migrated && !k.versioned() {
		if s, st, err := t.seated(heir); err == nil {
			return s, st, nil
		}
	}
	if left && k.lasts() {
		if st := t.layout().register().byPath[path]; st != nil {
			t.mu.Lock()
			t.stands[slot] = path
			t.mu.Unlock()
			return t.session(st.session), st, nil
		}
	}
	return nil, nil, err
}

// slots are the slot of a session and those of sessions of which it has nodes: somebody
// may use them.
func (t *Tree) slots(s *store.Session) []uint32 {
	slots := []uint32{s.Slot}
	t.mu.Lock()
	defer t.mu.Unlock()
	for slot, heir := range t.heirs {
		if heir == s.Slot {
			slots = append(slots, slot)
		}
	}
	for slot, path := range t.stands {
		if path == s.Path {
			slots = append(slots, slot)
		}
	}
	return slots
}
