package store

import (
	"sync/atomic"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// A View is a session at one moment. It never changes, and is safe for concurrent
// use. It holds no bodies: those are read from the file, which must still be the
// one that was scanned ([ErrReplaced]).
type View struct {
	Session *Session
	Header  model.Header
	Version int // as stored, 1 to 3; 0 where it is none of them
	Tree    *tree.Tree
	Summary Summary
	Damaged []Damage // lines that are no entries, in file order
	Size    int64    // the bytes of the file that it covers
	Mtime   int64    // Unix nanoseconds, when those were there

	spans    spans
	oddities []Warning
	firstAt  int // the entry of Summary.FirstMessage, or tree.None
	anchor   anchor
	now      mark
	marks    []mark                // of states that this one has grown from
	proven   atomic.Pointer[facts] // of the file when it was last seen to hold the view's bytes
}

// Damage is a line that is no entry.
type Damage struct {
	Before int // index of the entry that follows it; Tree.Len() for the last
	Line   int // from 1
	Offset int64
	Len    int64
	Code   string // as in Warning: damaged, glued, nul, no-object, torn-tail
}

// view returns the index as it is now. Columns that grow are shared: what a view
// sees of them does not change.
func (x *index) view(s *Session, f facts) *View {
	t := x.builder.Tree()
	v := &View{
		Session:  s,
		Header:   x.head.header,
		Version:  x.head.version,
		Tree:     t,
		Summary:  x.tally.summary(x.head, t, f.mtimeNS),
		Damaged:  x.damaged,
		Size:     x.covered(),
		Mtime:    f.mtimeNS,
		spans:    x.spans,
		oddities: x.oddities,
		firstAt:  x.tally.firstAt,
		anchor:   x.anchor,
		now:      x.mark(),
		marks:    x.marks,
	}
	v.proven.Store(&f)
	return v
}

// FirstMessage is Summary.FirstMessage, however long it is.
func (v *View) FirstMessage() (string, error) {
	if !v.Summary.FirstMessageCut {
		return v.Summary.FirstMessage, nil
	}
	e, err := v.Entry(v.firstAt)
	if err != nil {
		return "", err
	}
	return textOf(e), nil
}
