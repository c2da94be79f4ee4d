package fs

import (
	iofs "io/fs"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// titlesDir holds a link to each session by its title.
type titlesDir struct {
	fixed
	t *Tree
	p *project
}

func (d titlesDir) ID() ID { return makeID(kindTitles, d.t.keys.of(d.p.key), 0) }

func (d titlesDir) Ino() uint64 { return inoOf(kindTitles, d.p.key) }

func (d titlesDir) Attr() (Attr, error) { return d.p.attr(d.t, d.mode()), nil }

func (d titlesDir) provisional() Attr { return d.p.provisional(d.mode()) }

func (titlesDir) plentiful() {}

// mode is that of a directory which is no more readable than any of the sessions:
// their titles are what they begin with.
func (d titlesDir) mode() iofs.FileMode { return d.p.mode(leastReadable) }

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
		d, _ := st.session.Digest() // the zero one of a session that can't be read
		names[i] = model.FileName(seatTitle(d.Summary))
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
func seatTitle(s store.Summary) string {
	name := s.Name
	if name == "" {
		name = s.Title
	}
	return titleText(name, s.FirstMessage)
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
	return s.link(s.date()), nil
}

func (l titleLink) Target() (string, error) { return "../" + l.st.name, nil }
