package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
)

// headBytes is how much of the beginning of a file is compared, at most, to see
// whether it was rewritten. firstBytes is how much is read at first to find a header:
// the usual one has 200, and what is copied in vain is noticed with many files.
const (
	headBytes  = 4096
	firstBytes = 1024
)

var (
	bom = []byte("\xef\xbb\xbf")
	// castagnoli is the polynomial for which processors have an instruction.
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// A head is the beginning of a session file, up to and with its header.
type head struct {
	header   model.Header
	version  int    // 1 to 3, 0 if it is none of them
	title    string // another program's
	readOnly string // why the session must not be written to
	bom      bool   // the file begins with a byte order mark

	size int64  // bytes of the file that are compared: all of the head, or headBytes of it
	sum  uint32 // CRC of those
}

// A notSession is why a file is no session.
type notSession string

func (n notSession) Error() string { return string(n) }

// A headReader reads the heads of files, one after the other.
type headReader struct {
	lines *lineReader
	first []byte // the first headBytes of the file, as far as they have been read
	tap   func(chunk []byte, off int64)
}

func newHeadReader() *headReader {
	r := &headReader{lines: newLineReader(firstBytes)}
	r.tap = func(chunk []byte, off int64) {
		r.first = append(r.first, chunk[:min(len(chunk), headBytes-len(r.first))]...)
	}
	return r
}

// read returns the head of a file of the given size, or a notSession. It reads
// firstBytes, and more only where the header is not yet in them.
func (r *headReader) read(file io.ReaderAt, size int64) (*head, error) {
	r.reset(file, size)
	var p prologue
	for {
		ln, err := r.lines.next()
		switch {
		case err == io.EOF:
			return nil, p.end()
		case err != nil:
			return nil, err
		}
		h, _, err := p.take(ln)
		if err != nil {
			return nil, err
		}
		if h != nil {
			h.size = min(ln.end(), headBytes)
			h.sum = checksum(r.first[:h.size])
			return h, nil
		}
	}
}

// reset begins a new file. It gives up the buffer of an unusually long header.
func (r *headReader) reset(file io.ReaderAt, size int64) {
	if len(r.lines.buf) > 64*headBytes {
		r.lines = newLineReader(firstBytes)
	}
	r.first = r.first[:0]
	r.lines.reset(file, 0, size, r.tap)
}

// A prologue takes the lines of a file up to its header, as pi's
// loadEntriesFromFile does: the first value that JavaScript takes as true must be
// the header. Two things go beyond pi: a byte order mark, and another program's
// title line before the header.
type prologue struct {
	lines, bad int // lines so far, and those that are no JSON
	title      *string
	bom        bool
}

// take looks at the next line. It returns the head when the line is the header,
// a notSession when the file is none, and else whether the line is damaged, that
// is, neither blank nor a title.
func (p *prologue) take(ln line) (h *head, damaged bool, err error) {
	p.lines++
	text := model.Clean(ln.text)
	if ln.off == 0 && bytes.HasPrefix(text, bom) {
		text, p.bom = text[len(bom):], true
	}
	if model.Blank(text) {
		return nil, false, nil
	}
	v := model.Value(trim(text))
	if !model.Valid(text) {
		p.bad++
		return nil, true, nil
	}
	if !v.Truthy() {
		return nil, true, nil
	}
	if model.IsHeader(v) {
		return p.head(v), false, nil
	}
	if title := v.Get("title"); p.title == nil && v.Get("type").Text() == "title" && title.Kind() == model.String {
		text := title.Text()
		p.title = &text
		return nil, false, nil
	}
	return nil, false, p.refuse(v)
}

func (p *prologue) head(v model.Value) *head {
	h := &head{header: model.DecodeHeader(bytes.Clone(v)), bom: p.bom}
	version, ok := migrate.VersionOf(h.header)
	switch {
	case ok:
		h.version = version
	case h.header.Version.Kind() == model.Number:
		h.readOnly = fmt.Sprintf("version %s of the format is newer than pifs knows (%d)", h.header.Version, migrate.Version)
	default:
		h.readOnly = fmt.Sprintf("%s is no version of the format", h.header.Version)
	}
	h.title = h.header.Title.Text()
	if p.title != nil {
		h.title = *p.title
		h.readOnly = "another program's title line stands before the header"
	}
	return h
}

// refuse tells why a file whose first value is v is no session.
func (p *prologue) refuse(v model.Value) error {
	typ := v.Get("type")
	switch {
	case p.bad > 0:
		return notSession("the header is damaged")
	case v.Kind() != model.Object:
		return notSession("no session header: the first value is no object")
	case typ.Text() == "session":
		return notSession("the session header has no id")
	case typ.Kind() == model.String:
		return notSession(fmt.Sprintf("no session header: the first line is of type %q", typ.Text()))
	}
	return notSession("no session header: the first line has no type")
}

// end tells why a file that ended before a header is no session.
func (p *prologue) end() error {
	switch {
	case p.bad > 0:
		return notSession("no line is JSON")
	case p.lines == 0:
		return notSession("empty")
	}
	return notSession("no session header")
}
