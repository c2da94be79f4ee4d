package fs

import (
	"github.com/pifs/pifs/tree"
	"github.com/pifs/pifs/writeback"
)

// labelsDir holds a file for each label in use. It also finds labels/<id>, the
// label of an entry.
type labelsDir struct {
	fixed
	s *session
}

func (d labelsDir) ID() ID { return d.s.id(kindLabels, 0) }

func (d labelsDir) Ino() uint64 { return d.s.ino(kindLabels) }

// Attr gives the date of the label entry that last changed a label.
func (d labelsDir) Attr() (Attr, error) {
	v, _, err := d.s.view()
	if err != nil {
		return Attr{}, err
	}
	by := tree.None
	for _, l := range v.Tree.Labels() {
		by = max(by, int(l.By))
	}
	date := created(v)
	if by != tree.None {
		date = timeOf(v, by)
	}
	return d.s.dir(date), nil
}

func (d labelsDir) Lookup(name string) (Node, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	if i, ok := findEntry(v.Tree, name); ok {
		if v.Tree.Label(i) == "" {
			return nil, ErrNotExist
		}
		return writableFile{entryLabel{d.s, uint32(i)}}, nil
	}
	if l, ok := findLabel(v.Tree, name); ok {
		return writableFile{labelFile{d.s, d.s.tree.labels.of(l.Text)}}, nil
	}
	return nil, ErrNotExist
}

func (d labelsDir) Entries() ([]Entry, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	labels := v.Tree.Labels()
	list := make([]Entry, len(labels))
	for i, l := range labels {
		list[i] = Entry{labelName(v.Tree, l.Text), writableFile{labelFile{d.s, d.s.tree.labels.of(l.Text)}}}
	}
	return list, nil
}

func (d labelsDir) create(name string) (writable, error) {
	if err := d.s.writeable(); err != nil {
		return nil, err
	}
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	if i, ok := findEntry(v.Tree, name); ok {
		f := entryLabel{d.s, uint32(i)}
		return writableFile{f}, f.writeable()
	}
	label, err := newLabel(name)
	if err != nil {
		return nil, err
	}
	return writableFile{labelFile{d.s, d.s.tree.labels.of(label)}}, nil
}

func (d labelsDir) symlink(target, name string) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	if _, isID := f.(writableFile).changing.(entryLabel); isID { // The target is an entry, not a label.
		return ErrNotPermitted
	}
	return f.write(revision{text: []byte(target), created: true})
}

func (d labelsDir) remove(name string) error {
	n, err := d.Lookup(name)
	if err != nil {
		return err
	}
	return n.(writable).write(revision{})
}

func (d labelsDir) rename(from, to string) error {
	n, err := d.Lookup(from)
	if err != nil {
		return err
	}
	f, ok := n.(writableFile).changing.(labelFile)
	if !ok { // labels/<id> is a name for a value, not one of the labels.
		return ErrNotPermitted
	}
	old, _ := d.s.tree.labels.at(f.label)
	v, _, err := d.s.view()
	if err != nil {
		return err
	}
	if _, isID := findEntry(v.Tree, to); isID {
		return ErrNotPermitted
	}
	label, err := newLabel(to)
	if err != nil {
		return err
	}
	return d.s.append(writeback.MoveLabel(old, label))
}
