package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/tree"
)

// errRewritten is found out while reading: the file is not the one that the index
// is of.
var errRewritten = errors.New("rewritten")

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
	marks  []mark // of earlier states of this index with which something was kept
}

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
	if to < x.seen {
		return errRewritten
	}
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

// compact gives up what append has reserved beyond the need, after a first scan:
// most sessions are read once and never grow.
func (x *index) compact() {
	x.spans.compact()
	x.damaged = slices.Clone(x.damaged)
	x.oddities = slices.Clone(x.oddities)
}
