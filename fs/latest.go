package fs

// latestLink is the link to the latest session.
type latestLink struct {
	t  *Tree
	st *seat
}

func (l latestLink) ID() ID {
	return makeID(kindLatest, l.t.keys.of(l.st.project.key), l.st.session.Slot)
}

func (l latestLink) Ino() uint64 { return inoOf(kindLatest, l.st.project.key) }

func (l latestLink) Attr() (Attr, error) {
	s := l.t.session(l.st.session)
	return s.link(s.date()), nil
}

func (l latestLink) Target() (string, error) { return l.st.name, nil }
