package fs

// childrenDir holds links to the sessions that were forked from this one.
type childrenDir struct {
	s  *session
	st *seat
}

func (d childrenDir) ID() ID { return d.s.id(kindChildren, 0) }

func (d childrenDir) Ino() uint64 { return d.s.ino(kindChildren) }

func (d childrenDir) Attr() (Attr, error) {
	return d.s.dir(d.s.date()), nil
}

func (d childrenDir) Lookup(name string) (Node, error) {
	for i, fork := range d.st.forks {
		if d.st.forkName(i) == name {
			return forkLink{d.s, kindChild, fork.session.Slot}, nil
		}
	}
	return nil, ErrNotExist
}

func (d childrenDir) Entries() ([]Entry, error) {
	list := make([]Entry, len(d.st.forks))
	for i, fork := range d.st.forks {
		list[i] = Entry{d.st.forkName(i), forkLink{d.s, kindChild, fork.session.Slot}}
	}
	return list, nil
}

// forkLink is the link to a session's parent, or in its children directory.
type forkLink struct {
	s    *session
	kind kind
	slot uint32 // of the session that it leads to
}

func (l forkLink) ID() ID { return l.s.id(l.kind, l.slot) }

func (l forkLink) Ino() uint64 {
	if _, to, err := l.s.tree.seated(l.slot); err == nil {
		return l.s.ino(l.kind, l.s.tree.session(to.session).identity)
	}
	return l.s.ino(l.kind)
}

func (l forkLink) Attr() (Attr, error) {
	_, to, err := l.s.tree.seated(l.slot)
	if err != nil {
		return Attr{}, err
	}
	if l.kind == kindChild {
		return l.s.link(l.s.tree.session(to.session).date()), nil
	}
	return l.s.link(l.s.date()), nil
}

func (l forkLink) Target() (string, error) {
	_, from, err := l.s.tree.seated(l.s.store.Slot)
	if err != nil {
		return "", err
	}
	_, to, err := l.s.tree.seated(l.slot)
	if err != nil {
		return "", err
	}
	up := "../"
	if l.kind == kindChild {
		up = "../../"
	}
	if from.project != to.project {
		return up + "../" + to.project.name + "/" + to.name, nil
	}
	return up + to.name, nil
}
