package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// errRewritten is found out while reading: the file is not the one that the index
// is of.
var errRewritten = errors.New("rewritten")

// retryBytes is how long an unfinished last line may be to be tried at each
// growth. A longer one is read again only once it is ended or at rest, so that a
// line of 100 MiB that arrives in small pieces is not read a thousand times.
const retryBytes = 1 << 20

// An index is what is kept of a session file's bytes [0, seen). It takes a file
// line by line, in one or in many scans, with the same result.
type index struct {
	prologue prologue
	migrator *migrate.Migrator // nil before the header
	builder  tree.Builder
	spans    spans
	damaged  []Damage
	oddities []Warning
	odd      oddities
	tally    tally

	lines  int   // lines that ended
	end    int64 // where the line after those begins
	tail   tail  // what has been made of that line, though it has not ended
	tailCR bool  // it ends, so far, in a carriage return

	anchor        // of the bytes that have been read
	sum    uint32 // CRC of them all
}

// tail is what an index has made of a last line that lacks its newline.
type tail uint8

const (
	tailOpen    tail = iota // nothing: there is none, or it is no entry and may become one
	tailBlank               // nothing: it is white space so far
	tailValue               // taken as the value that it is: an entry, or the header
	tailDamaged             // taken as damaged
)

// newIndex returns the index of the first 0 bytes of a file that has been found
// to begin with h.
func newIndex(h *head) *index {
	return &index{anchor: anchor{head: h}, tally: newTally()}
}

// covered is where the bytes end that the index has made something of.
func (x *index) covered() int64 {
	if x.tail == tailOpen || x.tail == tailBlank {
		return x.end
	}
	return x.seen
}

// open tells whether there is a last line that nothing has been made of yet.
func (x *index) open() bool { return x.tail == tailOpen && x.seen > x.end }

// scan reads the file up to offset to, errRewritten if it does not go so far or
// what was taken of it cannot be what is there. atRest tells that the file has not changed
// for a while: a last line that is still no entry will hardly become one.
func (x *index) scan(r *lineReader, file io.ReaderAt, to int64, atRest bool) error {
	if x.open() && x.seen-x.end > retryBytes && !atRest {
		if more, err := x.skim(r, file, to); !more || err != nil {
			return err
		}
	}
	r.reset(file, x.covered(), to, x.taste)
	switch x.tail {
	case tailBlank:
		x.tail = tailOpen
	case tailValue, tailDamaged:
		if err := x.seal(r); err != nil {
			return err
		}
	}
	for {
		ln, err := r.next()
		switch {
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF:
			return errRewritten
		case err != nil:
			return err
		}
		if !ln.terminated {
			return x.takeTail(ln, atRest)
		}
		if err := x.take(ln); err != nil {
			return err
		}
		x.endLine(ln.end(), bytes.HasSuffix(ln.text, []byte{'\r'}))
	}
}

// endLine goes on to the next line, which begins at offset end.
func (x *index) endLine(end int64, cr bool) {
	if cr {
		x.noteOnce(&x.odd.crlf, "crlf", "lines end in CR LF")
	}
	x.lines++
	x.end, x.tail = end, tailOpen
}

// taste takes note of bytes that are read, however often they are.
func (x *index) taste(chunk []byte, off int64) {
	if end := off + int64(len(chunk)); end > x.seen {
		fresh := chunk[x.seen-off:]
		x.sum = crc32.Update(x.sum, castagnoli, fresh)
		x.anchor.add(fresh)
	}
}

// skim reads what an unfinished line has grown by. more tells that it has ended.
func (x *index) skim(r *lineReader, file io.ReaderAt, to int64) (more bool, err error) {
	r.reset(file, x.seen, to, x.taste)
	for {
		switch ln, err := r.next(); {
		case err == io.EOF || err == nil && !ln.terminated:
			return false, nil
		case err == io.ErrUnexpectedEOF:
			return false, errRewritten
		default:
			return true, err
		}
	}
}

// seal goes on in a line that was taken before it ended. Only white space may
// follow: anything else makes another line of it.
func (x *index) seal(r *lineReader) error {
	ln, err := r.next()
	switch {
	case err == io.EOF:
		return nil
	case err == io.ErrUnexpectedEOF:
		return errRewritten
	case err != nil:
		return err
	case len(trim(ln.text)) > 0:
		return errRewritten
	}
	if n := len(ln.text); n > 0 {
		x.tailCR = ln.text[n-1] == '\r'
	}
	if ln.terminated {
		x.endLine(ln.end(), x.tailCR)
	}
	return nil
}

// takeTail takes a last line without newline as what it is, unless pi may still be
// writing it.
func (x *index) takeTail(ln line, atRest bool) error {
	if model.Blank(ln.text) {
		x.tail = tailBlank
		return nil
	}
	x.tailCR = bytes.HasSuffix(ln.text, []byte{'\r'})
	if v := model.Value(trim(ln.text)); v.Kind() == model.Object && model.Valid(v) {
		x.tail = tailValue
		return x.take(ln)
	}
	if !atRest {
		return nil
	}
	x.tail = tailDamaged
	x.damage(ln, "torn-tail")
	return nil
}

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

// compact gives up what append has reserved beyond the need, after a first scan:
// most sessions are read once and never grow.
func (x *index) compact() {
	x.spans.compact()
	x.damaged = slices.Clone(x.damaged)
	x.oddities = slices.Clone(x.oddities)
}
