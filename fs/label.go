package fs

import (
	"strings"

	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
	"github.com/pifs/pifs/writeback"
)

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
		b.WriteString(render.Line(v.Tree.ID(int(i))) + "\n")
	}
	return []byte(b.String()), nil
}

func (f labelFile) writeable() error { return f.s.writeable() }

// check looks at whole lines only: an id may not have come whole yet.
func (f labelFile) check(r revision) error {
	text, adds := r.decisive()
	if err := writeback.CheckText(line(wholeCharacters(text))); err != nil {
		return err
	}
	return f.s.check(f.plan(wholeLines(text), adds, false))
}

// write gives the label to the entries that the text names, and takes it from the
// others; what is appended takes it from none. A new label without any entries goes
// on the current position.
func (f labelFile) write(r revision) error {
	text, adds := r.decisive()
	return f.s.append(f.plan(text, adds, r.created))
}

func (f labelFile) plan(text []byte, adds, created bool) writeback.Plan {
	return func(v *store.View) ([]writeback.Change, error) {
		label, ok := f.s.tree.labels.at(f.label)
		if !ok {
			return nil, ErrStale
		}
		ids, err := namedEntries(v, text)
		switch {
		case err != nil:
			return nil, err
		case created && len(ids) == 0:
			return writeback.LabelCurrent(label)(v)
		case adds:
			return writeback.AddLabel(label, ids...)(v)
		}
		return writeback.PutLabel(label, ids...)(v)
	}
}
