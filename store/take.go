package store

import (
	"bytes"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
)

// take takes one line. White space at its end does not count, or a line that was
// read before that came would be another.
func (x *index) take(ln line) error {
	ln.text = bytes.TrimRight(ln.text, " \t\r")
	if x.migrator == nil {
		return x.takeHead(ln)
	}
	f, ok := model.Scan(ln.text)
	if !ok {
		x.takeOther(ln)
		return nil
	}
	if f.Kind == model.KindSession {
		x.migrator.Skip(model.Value(ln.text))
		x.note("second-header", "a second session header is ignored")
		return nil
	}
	x.migrator.Fields(&f)
	x.noteFields(&f)
	i := x.builder.Add(x.lines+1, f)
	x.spans.add(ln.off, int64(len(ln.text)))
	x.tally.add(i, &f, ln.text)
	return nil
}

func (x *index) takeHead(ln line) error {
	h, damaged, err := x.prologue.take(ln)
	switch {
	case err != nil:
		return errRewritten // a head was there when the file was found
	case damaged:
		x.damage(ln, codeOf(ln.text))
	case h != nil:
		x.migrator = migrate.New(h.header)
		x.noteHeader(h)
	case !model.Blank(ln.text):
		x.note("title-line", "another program's title line stands before the header, which pi refuses")
	}
	return nil
}

// takeOther takes a line that is no object.
func (x *index) takeOther(ln line) {
	switch text := model.Clean(ln.text); {
	case model.Blank(text):
	case model.Valid(text):
		if v := model.Value(trim(text)); v.Truthy() {
			x.migrator.Skip(v)
		}
		x.damage(ln, "no-object")
	default:
		x.damage(ln, codeOf(text))
	}
}

func (x *index) damage(ln line, code string) {
	x.damaged = append(x.damaged, Damage{
		Before: len(x.spans.starts),
		Line:   x.lines + 1,
		Offset: ln.off,
		Len:    int64(len(bytes.TrimRight(ln.text, " \t\r"))),
		Code:   code,
	})
}

// codeOf tells what seems to have happened to a line that is no JSON.
func codeOf(text []byte) string {
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		return "nul"
	case bytes.Contains(text, []byte(`}{"`)):
		return "glued"
	}
	return "damaged"
}

// trim removes what JSON takes as white space.
func trim(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
