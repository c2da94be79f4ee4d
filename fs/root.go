package fs

import (
	iofs "io/fs"
	"os"
)

// rootDir lists the projects.
type rootDir struct{ t *Tree }

func (d rootDir) ID() ID { return rootID }

func (d rootDir) Ino() uint64 { return inoOf(kindRoot, "") }

func (d rootDir) Attr() (Attr, error) {
	a, _ := d.attr(true)
	return a, nil
}

func (d rootDir) Provisional() (Attr, bool) { return d.attr(false) }

// attr gives the root the date of the newest project.
func (d rootDir) attr(scan bool) (a Attr, exact bool) {
	a = Attr{Mode: iofs.ModeDir | dirBits, MtimeMS: d.t.started.UnixMilli()}
	a.UID, a.GID = uint32(os.Getuid()), uint32(os.Getgid())
	exact = true
	for i, p := range d.t.layout().projects {
		date, ok := p.date(d.t, scan)
		exact = exact && ok
		if i == 0 || date > a.MtimeMS {
			a.MtimeMS = date
		}
	}
	return a, exact
}

func (d rootDir) Lookup(name string) (Node, error) {
	if name == nameMeta {
		return metaDir(d), nil
	}
	if p := d.t.layout().byName[name]; p != nil {
		return projectDir{t: d.t, p: p}, nil
	}
	return nil, ErrNotExist
}

func (d rootDir) Entries() ([]Entry, error) {
	l := d.t.layout()
	list := make([]Entry, len(l.projects))
	for i, p := range l.projects {
		list[i] = Entry{p.name, projectDir{t: d.t, p: p}}
	}
	return list, nil
}
