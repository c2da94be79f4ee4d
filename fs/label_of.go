package fs

import (
	"bytes"

	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

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
	return []byte(render.Line(label) + "\n"), nil
}

func (f entryLabel) writeable() error {
	if err := f.s.writeable(); err != nil {
		return err
	}
	v, err := f.s.entry(f.i)
	if err != nil {
		return err
	}
	return writeback.CheckTarget(v, v.Tree.ID(int(f.i)))
}

// check passes over blanks before a line has ended: they may be the beginning of a label.
func (f entryLabel) check(r revision) error {
	text := wholeCharacters(r.text)
	if len(wholeLines(text)) == 0 && len(bytes.TrimSpace(text)) == 0 {
		return f.s.writeable()
	}
	return f.s.check(f.plan(text))
}

func (f entryLabel) write(r revision) error { return f.s.append(f.plan(r.text)) }

// plan makes text, without the newline at its end, the entry's label.
func (f entryLabel) plan(text []byte) writeback.Plan {
	return func(v *store.View) ([]writeback.Change, error) {
		label := line(text)
		if err := writeback.CheckLabel(label); err != nil {
			return nil, err
		}
		return writeback.LabelEntry(v.Tree.ID(int(f.i)), label)(v)
	}
}
