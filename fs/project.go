package fs

import (
	"context"
	iofs "io/fs"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// projectNode returns a node of a project: a is its number, b a session's slot.
func (t *Tree) projectNode(k kind, a, b uint32) (Node, error) {
	key, ok := t.keys.at(a)
	if !ok {
		return nil, ErrStale
	}
	p := t.layout().byKey[key]
	if p == nil {
		return nil, ErrStale
	}
	switch k {
	case kindProject:
		return projectDir{t: t, p: p}, nil
	case kindCwd:
		return wholeFile{cwdFile{t, p}}, nil
	case kindTitles:
		return titlesDir{t: t, p: p}, nil
	}
	st := t.layout().bySlot[b]
	if st == nil || st.project != p {
		return nil, ErrStale
	}
	if k == kindLatest {
		return latestLink{t, st}, nil
	}
	return titleLink{t, st}, nil
}

// projectDir holds the sessions of one cwd.
type projectDir struct {
	fixed
	t *Tree
	p *project
}

func (d projectDir) ID() ID { return makeID(kindProject, d.t.keys.of(d.p.key), 0) }

func (d projectDir) Ino() uint64 { return inoOf(kindProject, d.p.key) }

func (d projectDir) Attr() (Attr, error) {
	a, _ := d.attr(true)
	return a, nil
}

func (d projectDir) Provisional() (Attr, bool) { return d.attr(false) }

func (d projectDir) attr(scan bool) (Attr, bool) {
	return d.p.attr(d.t, d.p.mode(mostReadable), scan)
}

func (d projectDir) Lookup(name string) (Node, error) {
	switch name {
	case nameCwd:
		return wholeFile{cwdFile{d.t, d.p}}, nil
	case nameTitles:
		return titlesDir{t: d.t, p: d.p}, nil
	case nameLatest:
		return latestLink{d.t, d.p.latest()}, nil
	}
	if st := d.p.byName[name]; st != nil {
		return sessionDir{s: d.t.session(st.session), st: st}, nil
	}
	return nil, ErrNotExist
}

// removeDir deletes the session called name, as pi does.
func (d projectDir) removeDir(name string) error {
	st := d.p.byName[name]
	switch {
	case st == nil || !d.t.options.AllowDelete:
		return ErrNotPermitted
	case d.t.options.ReadOnly:
		return ErrReadOnly
	}
	_, err := writeback.Delete(context.Background(), st.session)
	return err
}

func (d projectDir) Entries() ([]Entry, error) {
	list := make([]Entry, 0, len(d.p.seats)+3)
	for _, st := range d.p.seats {
		list = append(list, Entry{st.name, sessionDir{s: d.t.session(st.session), st: st}})
	}
	return append(list,
		Entry{nameTitles, titlesDir{t: d.t, p: d.p}},
		Entry{nameCwd, wholeFile{cwdFile{d.t, d.p}}},
		Entry{nameLatest, latestLink{d.t, d.p.latest()}}), nil
}

// date is that of the project's newest session.
func (p *project) date(t *Tree, scan bool) (ms int64, exact bool) {
	exact = true
	for i, st := range p.seats {
		date, ok := t.session(st.session).date(scan)
		exact = exact && ok
		if i == 0 || date > ms {
			ms = date
		}
	}
	return ms, exact
}

// attr is the Attr of a node of the project.
func (p *project) attr(t *Tree, mode iofs.FileMode, scan bool) (a Attr, exact bool) {
	date, exact := p.date(t, scan)
	return owned(p.seats[0].session.Stat(), mode, date), exact
}

// mostReadable and leastReadable combine modes: what shows that there are
// sessions may be seen by all who may read one, what shows what is in them only
// by who may read all.
func mostReadable(a, b iofs.FileMode) iofs.FileMode  { return a | b }
func leastReadable(a, b iofs.FileMode) iofs.FileMode { return a & b }

// mode combines the modes of the directories of the project's sessions.
func (p *project) mode(combine func(all, one iofs.FileMode) iofs.FileMode) iofs.FileMode {
	mode := dirMode(p.seats[0].session.Stat().Mode)
	for _, st := range p.seats[1:] {
		mode = combine(mode, dirMode(st.session.Stat().Mode))
	}
	return mode
}

// latest is the session that `pi --continue` would open: the newest by file mtime;
// of equal ones the last by name.
func (p *project) latest() *seat {
	newest := p.seats[0]
	for _, st := range p.seats[1:] {
		if st.session.Stat().MtimeNS >= newest.session.Stat().MtimeNS {
			newest = st
		}
	}
	return newest
}

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

// cwdFile holds the project's cwd, exactly.
type cwdFile struct {
	t *Tree
	p *project
}

func (f cwdFile) ID() ID { return makeID(kindCwd, f.t.keys.of(f.p.key), 0) }

func (f cwdFile) Ino() uint64 { return inoOf(kindCwd, f.p.key) }

func (f cwdFile) Attr() (Attr, error) {
	a, _ := f.attr(true)
	return a, nil
}

func (f cwdFile) Provisional() (Attr, bool) { return f.attr(false) }

func (f cwdFile) attr(scan bool) (Attr, bool) {
	return f.p.attr(f.t, f.p.mode(mostReadable)&fileBits, scan)
}

func (f cwdFile) text() ([]byte, error) { return []byte(f.p.cwd + "\n"), nil }

func (f cwdFile) peek() ([]byte, bool) { return peekCheap(f) }

// titlesDir holds a link to each session by its title.
type titlesDir struct {
	fixed
	t *Tree
	p *project
}

func (d titlesDir) ID() ID { return makeID(kindTitles, d.t.keys.of(d.p.key), 0) }

func (d titlesDir) Ino() uint64 { return inoOf(kindTitles, d.p.key) }

func (d titlesDir) Attr() (Attr, error) {
	a, _ := d.attr(true)
	return a, nil
}

func (d titlesDir) Provisional() (Attr, bool) { return d.attr(false) }

func (d titlesDir) attr(scan bool) (Attr, bool) {
	return d.p.attr(d.t, d.p.mode(leastReadable), scan)
}

func (d titlesDir) Lookup(name string) (Node, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	for i, st := range d.p.seats {
		if names[i] == name {
			return titleLink{d.t, st}, nil
		}
	}
	return nil, ErrNotExist
}

func (d titlesDir) Entries() ([]Entry, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(names))
	for i, st := range d.p.seats {
		list[i] = Entry{names[i], titleLink{d.t, st}}
	}
	return list, nil
}

// names returns what each seat's link is called. Sessions with one title are all
// told apart by their paths below the store. A session that can't be read is
// called as if it were empty.
func (d titlesDir) names() ([]string, error) {
	names := make([]string, len(d.p.seats))
	count := make(map[string]int)
	for i, st := range d.p.seats {
		v, err := st.session.View()
		if err != nil {
			v = &store.View{}
		}
		names[i] = model.FileName(seatTitle(v))
		count[names[i]]++
	}
	for i, st := range d.p.seats {
		if count[names[i]] > 1 {
			names[i] += shortHash(st.session.Rel)
		}
	}
	return names, nil
}

// seatTitle is the title of a session: its name, or what another program or its
// first user message gives it.
func seatTitle(v *store.View) string {
	name := v.Summary.Name
	if name == "" {
		name = v.Summary.Title
	}
	return titleText(name, v.Summary.FirstMessage)
}

// rename names the session whose link is called from.
func (d titlesDir) rename(from, to string) error {
	n, err := d.Lookup(from)
	if err != nil {
		return err
	}
	if _, err := d.Lookup(to); err == nil {
		return ErrExists
	}
	name, ok := model.ParseFileName(to)
	if !ok {
		return writeback.ErrText
	}
	return d.t.session(n.(titleLink).st.session).append(writeback.SetName(name))
}

// titleLink is a session's link in by-title.
type titleLink struct {
	t  *Tree
	st *seat
}

func (l titleLink) ID() ID {
	return makeID(kindTitle, l.t.keys.of(l.st.project.key), l.st.session.Slot)
}

func (l titleLink) Ino() uint64 { return l.t.session(l.st.session).ino(kindTitle) }

func (l titleLink) Attr() (Attr, error) {
	s := l.t.session(l.st.session)
	date, _ := s.date(true)
	return owned(s.store.Stat(), linkMode, date), nil
}

func (l titleLink) Target() (string, error) { return "../" + l.st.name, nil }
