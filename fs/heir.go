package fs

import (
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// inherit returns the session that s has become if a change has just migrated its file,
// else s; was is what s was before. To the store that is another session. To who has
// files of s open or stands in its directories it is the same one, since entries, ids and
// texts stay when a file is migrated.
func (s *session) inherit(was *store.View) *session {
	if was.Version != 1 && was.Version != 2 {
		return s
	}
	t := s.tree
	st := t.layout().register().byPath[s.store.Path]
	if st == nil || st.session == s.store {
		return s
	}
	heir := t.session(st.session)
	now, _, err := heir.view()
	if err != nil || !begins(now.Tree, was.Tree) {
		return s
	}
	heir.mu.Lock()
	heir.former = append(heir.former, s.store.Slot)
	heir.mu.Unlock()
	t.mu.Lock()
	t.heirs[s.store.Slot] = heir
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

// slots are the slot of the session and those of which it is the heir: there may be nodes
// of all of them that somebody uses.
func (s *session) slots() []uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]uint32{s.store.Slot}, s.former...)
}
