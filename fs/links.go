package fs

// sourceLink is the link to the store file.
type sourceLink struct{ s *session }

func (l sourceLink) ID() ID { return l.s.id(kindSource, 0) }

func (l sourceLink) Ino() uint64 { return l.s.ino(kindSource) }

func (l sourceLink) Attr() (Attr, error) {
	v, _, err := l.s.view()
	if err != nil {
		return Attr{}, err
	}
	return l.s.link(lastTime(v)), nil
}

func (l sourceLink) Target() (string, error) { return l.s.store.Path, nil }

// currentLink is the link to the branch at which pi would resume, the entry at.
type currentLink struct {
	s  *session
	at uint32
}

func (l currentLink) ID() ID { return l.s.id(kindCurrent, l.at) }

func (l currentLink) Ino() uint64 { return l.s.ino(kindCurrent) }

func (l currentLink) Attr() (Attr, error) {
	v, err := l.s.entry(l.at)
	if err != nil {
		return Attr{}, err
	}
	return l.s.link(timeOf(v, int(l.at))), nil
}

func (l currentLink) Target() (string, error) {
	v, err := l.s.entry(l.at)
	if err != nil {
		return "", err
	}
	return nameBranches + "/" + entryName(v, l.at), nil
}
