package fs

import (
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/tree"
	"github.com/pifs/pifs/writeback"
)

// nameFile is the session's display name on one line, empty if it has none.
type nameFile struct{ s *session }

func (f nameFile) ID() ID { return f.s.id(kindName, 0) }

func (f nameFile) Ino() uint64 { return f.s.ino(kindName) }

// Attr gives the date of the session_info entry that decided the name.
func (f nameFile) Attr() (Attr, error) {
	v, _, err := f.s.view()
	if err != nil {
		return Attr{}, err
	}
	date := created(v)
	if _, by := v.Tree.Name(); by != tree.None {
		date = timeOf(v, by)
	}
	return f.s.writableFile(date), nil
}

func (f nameFile) peek() ([]byte, bool) { return peekCheap(f) }

func (f nameFile) text() ([]byte, error) {
	v, _, err := f.s.view()
	if err != nil {
		return nil, err
	}
	name, _ := v.Tree.Name()
	if name == "" {
		return nil, nil
	}
	return []byte(render.Line(name) + "\n"), nil
}

func (f nameFile) writeable() error { return f.s.writeable() }

func (f nameFile) check(r revision) error {
	return f.s.check(writeback.SetName(line(wholeCharacters(r.text))))
}

func (f nameFile) write(r revision) error {
	return f.s.append(writeback.SetName(line(r.text)))
}
