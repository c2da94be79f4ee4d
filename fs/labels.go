package fs

import (
	"strings"

	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
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
		return writableFile{entryLabel{d.s, uint32(i)}}, nil
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
	return f.write([]byte(target), true)
}

func (d labelsDir) remove(name string) error {
	n, err := d.Lookup(name)
	if err != nil {
		return err
	}
	return n.(writable).write(nil, false)
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

// labelFile lists the ids of the entries that bear a label, one a line.
type labelFile struct {
	s     *session
	label uint32 // interned
}

func (f labelFile) ID() ID { return f.s.id(kindLabel, f.label) }

func (f labelFile) Ino() uint64 {
	text, _ := f.s.tree.labels.at(f.label)
	return f.s.ino(kindLabel, inoOf(kindLabel, text))
}

// find returns the label as it is now; one that is gone has no entries.
func (f labelFile) find() (*store.View, tree.Label, error) {
	text, ok := f.s.tree.labels.at(f.label)
	if !ok {
		return nil, tree.Label{}, ErrStale
	}
	v, _, err := f.s.view()
	if err != nil {
		return nil, tree.Label{}, err
	}
	for _, l := range v.Tree.Labels() {
		if l.Text == text {
			return v, l, nil
		}
	}
	return v, tree.Label{Text: text, By: tree.None}, nil
}

func (f labelFile) Attr() (Attr, error) {
	v, l, err := f.find()
	if err != nil {
		return Attr{}, err
	}
	date := lastTime(v)
	if l.By != tree.None {
		date = timeOf(v, int(l.By))
	}
	return f.s.writableFile(date), nil
}

func (f labelFile) peek() ([]byte, bool) { return peekCheap(f) }

func (f labelFile) text() ([]byte, error) {
	v, l, err := f.find()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, i := range l.Entries {
		b.WriteString(oneLine(v.Tree.ID(int(i))) + "\n")
	}
	return []byte(b.String()), nil
}

func (f labelFile) writeable() error { return f.s.writeable() }

// check looks at whole lines only: an id may not have come whole yet.
func (f labelFile) check(text []byte) error {
	v, _, err := f.s.view()
	if err != nil {
		return err
	}
	if err := checkText(text); err != nil {
		return err
	}
	_, err = namedEntries(v, wholeLines(text))
	return err
}

// write gives the label to the entries that text names. A new label without any
// goes on the current position.
func (f labelFile) write(text []byte, created bool) error {
	label, ok := f.s.tree.labels.at(f.label)
	if !ok {
		return ErrStale
	}
	return f.s.append(func(v *store.View) ([]writeback.Change, error) {
		ids, err := namedEntries(v, text)
		if err != nil {
			return nil, err
		}
		if created && len(ids) == 0 {
			return writeback.LabelCurrent(label)(v)
		}
		return writeback.PutLabel(label, ids...)(v)
	})
}

// entryLabel is the label of one entry.
type entryLabel struct {
	s *session
	i uint32
}

func (f entryLabel) ID() ID { return f.s.id(kindLabelOf, f.i) }

func (f entryLabel) Ino() uint64 { return f.s.ino(kindLabelOf, uint64(f.i)) }

func (f entryLabel) Attr() (Attr, error) {
	v, err := f.s.entry(f.i)
	if err != nil {
		return Attr{}, err
	}
	date := timeOf(v, int(f.i))
	for _, l := range v.Tree.Labels() {
		if l.Text == v.Tree.Label(int(f.i)) {
			date = timeOf(v, int(l.By))
		}
	}
	return f.s.writableFile(date), nil
}

func (f entryLabel) peek() ([]byte, bool) { return peekCheap(f) }

func (f entryLabel) text() ([]byte, error) {
	v, err := f.s.entry(f.i)
	if err != nil {
		return nil, err
	}
	label := v.Tree.Label(int(f.i))
	if label == "" {
		return nil, nil
	}
	return []byte(oneLine(label) + "\n"), nil
}

// oneLine is text that is not more than a line and sends nothing to a terminal.
func oneLine(text string) string {
	return render.Line(text)
}

func (f entryLabel) writeable() error { return f.s.writeable() }

func (f entryLabel) check(text []byte) error { return checkText(text) }

// write makes text, without the newline at its end, the entry's label.
func (f entryLabel) write(text []byte, _ bool) error {
	return f.s.append(func(v *store.View) ([]writeback.Change, error) {
		return writeback.LabelEntry(v.Tree.ID(int(f.i)), line(text))(v)
	})
}
