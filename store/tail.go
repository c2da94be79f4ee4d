package store

import (
	"bytes"
	"io"

	"github.com/pifs/pifs/model"
)

// retryBytes is how long an unfinished last line may be to be tried at each
// growth. A longer one is read again only once it is ended or at rest, so that a
// line of 100 MiB that arrives in small pieces is not read a thousand times.
const retryBytes = 1 << 20

// tail is what an index has made of a last line that lacks its newline.
type tail uint8

const (
	tailOpen    tail = iota // nothing: there is none, or it is no entry and may become one
	tailBlank               // nothing: it is white space so far
	tailValue               // taken as the value that it is: an entry, or the header
	tailDamaged             // taken as damaged
)

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
