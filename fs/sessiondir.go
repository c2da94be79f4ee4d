package fs

import (
	iofs "io/fs"

	"github.com/pifs/pifs/tree"
)

// sessionDir is the directory of one session.
type sessionDir struct {
	fixed
	s  *session
	st *seat
}

func (d sessionDir) ID() ID { return d.s.id(kindSession, 0) }

func (d sessionDir) Ino() uint64 { return d.s.ino(kindSession) }

func (d sessionDir) Attr() (Attr, error) { return d.s.dir(d.s.date()), nil }

func (d sessionDir) Lookup(name string) (Node, error) {
	switch name {
	case nameName:
		return writableFile{nameFile{d.s}}, nil
	case nameLabels:
		return labelsDir{s: d.s}, nil
	case nameTranscript:
		return compositeFile{transcriptFile{d.s}}, nil
	case nameSource:
		return sourceLink{d.s}, nil
	case nameChildren:
		return childrenDir{d.s, d.st}, nil
	case nameBranches:
		return branchesDir{d.s}, nil
	case nameEntries:
		return entriesDir{d.s}, nil
	case nameImages:
		return imagesDir{d.s}, nil
	}
	list, err := d.changing()
	if err != nil {
		return nil, err
	}
	return pick(list, name)
}

func (d sessionDir) Entries() ([]Entry, error) {
	list, err := d.changing()
	if err != nil {
		return nil, err
	}
	return append(list,
		Entry{nameBranches, branchesDir{d.s}},
		Entry{nameChildren, childrenDir{d.s, d.st}},
		Entry{nameEntries, entriesDir{d.s}},
		Entry{nameImages, imagesDir{d.s}},
		Entry{nameLabels, labelsDir{s: d.s}},
		Entry{nameName, writableFile{nameFile{d.s}}},
		Entry{nameSource, sourceLink{d.s}},
		Entry{nameTranscript, compositeFile{transcriptFile{d.s}}},
	), nil
}

// create makes the session's name anew, for who has just removed it.
func (d sessionDir) create(name string) (writable, error) {
	if name != nameName {
		return nil, ErrNotPermitted
	}
	return writableFile{nameFile{d.s}}, d.s.writeable()
}

// remove clears the session's name.
func (d sessionDir) remove(name string) error {
	if name != nameName {
		return ErrNotPermitted
	}
	return nameFile{d.s}.write(revision{})
}

// changing are the names of the directory whose nodes change with the session:
// each version of a text, and each target of a link, is a node of its own.
func (d sessionDir) changing() ([]Entry, error) {
	v, version, err := d.s.view()
	if err != nil {
		return nil, err
	}
	list := []Entry{
		{nameInfo, wholeFile{textFile{d.s, kindInfo, version}}},
		{nameTree, wholeFile{textFile{d.s, kindTreeText, version}}},
		{nameFiles, wholeFile{textFile{d.s, kindFilesText, version}}},
	}
	if at := v.Tree.Current(); at != tree.None {
		list = append(list, Entry{nameCurrent, currentLink{d.s, uint32(at)}})
	}
	if d.st.parent != nil {
		list = append(list, Entry{nameParent, forkLink{d.s, kindParent, d.st.parent.session.Slot}})
	}
	return list, nil
}

// id is the ID of a node of the session.
func (s *session) id(k kind, b uint32) ID { return makeID(k, s.store.Slot, b) }

// dir and file are the Attr of a directory and a file of the session.
func (s *session) dir(mtimeMS int64) Attr {
	st := s.store.Stat()
	return owned(st, dirMode(st.Mode), mtimeMS)
}

func (s *session) file(mtimeMS int64) Attr {
	st := s.store.Stat()
	return owned(st, fileMode(st.Mode), mtimeMS)
}

func (s *session) link(mtimeMS int64) Attr {
	return owned(s.store.Stat(), linkMode, mtimeMS)
}

// writableFile is the Attr of a file that may be written to change the session,
// if the session may be changed.
func (s *session) writableFile(mtimeMS int64) Attr {
	a := s.file(mtimeMS)
	if !s.tree.options.ReadOnly && s.store.ReadOnly() == "" {
		a.Mode = iofs.FileMode(s.store.Stat().Mode & writableBits)
	}
	return a
}
