package fs

import (
	"context"
	iofs "io/fs"

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

func (d projectDir) Attr() (Attr, error) { return d.p.attr(d.t, d.p.mode(mostReadable)), nil }

func (d projectDir) provisional() Attr { return d.p.provisional(d.p.mode(mostReadable)) }

func (projectDir) plentiful() {}

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
	if _, err := writeback.Delete(context.Background(), st.session); err != nil {
		return err
	}
	_, _ = st.session.Refresh() // So that the store knows that it is gone.
	d.t.changed(st.session.Slot)
	return nil
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

// attr is the Attr of a node of the project, with the date of its newest session.
func (p *project) attr(t *Tree, mode iofs.FileMode) Attr {
	newest := t.session(p.seats[0].session).date()
	for _, st := range p.seats[1:] {
		newest = max(newest, t.session(st.session).date())
	}
	return owned(p.seats[0].session.Stat(), mode, newest)
}

// provisional is attr without a date.
func (p *project) provisional(mode iofs.FileMode) Attr {
	return owned(p.seats[0].session.Stat(), mode, 0)
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
