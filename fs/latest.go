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
	a, _ := l.attr(true)
	return a, nil
}

func (l latestLink) Provisional() (Attr, bool) { return l.attr(false) }

func (l latestLink) attr(scan bool) (Attr, bool) {
	date, exact := l.t.session(l.st.session).date(scan)
	return owned(l.st.session.Stat(), linkMode, date), exact
}

func (l latestLink) Target() (string, error) { return l.st.name, nil }
