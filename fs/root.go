package fs

import (
	iofs "io/fs"
	"os"
)

// rootDir lists the projects.
type rootDir struct{ t *Tree }

func (d rootDir) ID() ID { return rootID }

func (d rootDir) Ino() uint64 { return inoOf(kindRoot, "") }

// Attr gives the root the date of the file that was written last, for which no
// file has to be read.
func (d rootDir) Attr() (Attr, error) {
	a := Attr{Mode: iofs.ModeDir | dirBits, MtimeMS: d.t.started.UnixMilli()}
	a.UID, a.GID = uint32(os.Getuid()), uint32(os.Getgid())
	for i, s := range d.t.store.Sessions() {
		if ms := s.Stat().MtimeNS / 1e6; i == 0 || ms > a.MtimeMS {
			a.MtimeMS = ms
		}
	}
	return a, nil
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
