package store

import (
	"bytes"
	"io"
)

// A lineReader reads the lines of a part of a file, however long they are. It
// reads each byte once.
type lineReader struct {
	file io.ReaderAt
	off  int64 // offset in the file of the first byte not yet read
	to   int64 // where the part ends
	tap  func(chunk []byte, off int64)

	buf  []byte // at its full length; never nil
	rest []byte // of buf: what is read and not yet given out
	seen int    // so much of rest has no newline
}

// newLineReader returns a reader that reads chunkBytes at once.
func newLineReader(chunkBytes int) *lineReader {
	return &lineReader{buf: make([]byte, chunkBytes)}
}

// reset begins to read file from offset from up to offset to. tap is called with
// each chunk that is read.
func (r *lineReader) reset(file io.ReaderAt, from, to int64, tap func(chunk []byte, off int64)) {
	r.file, r.off, r.to, r.tap = file, from, to, tap
	r.rest, r.seen = nil, 0
}

// A line is one line of a file, without its newline. text is valid until the
// next call of next.
type line struct {
	text       []byte
	off        int64
	terminated bool
}

// end is the offset behind the line and its newline.
func (ln line) end() int64 {
	end := ln.off + int64(len(ln.text))
	if ln.terminated {
		end++
	}
	return end
}

// next returns the next line; io.EOF at the end of the part, io.ErrUnexpectedEOF
// if the file ends before the part does.
func (r *lineReader) next() (line, error) {
	for {
		if i := bytes.IndexByte(r.rest[r.seen:], '\n'); i >= 0 {
			end := r.seen + i
			ln := line{r.rest[:end], r.off - int64(len(r.rest)), true}
			r.rest, r.seen = r.rest[end+1:], 0
			return ln, nil
		}
		r.seen = len(r.rest)
		if r.off == r.to {
			if len(r.rest) == 0 {
				return line{}, io.EOF
			}
			ln := line{r.rest, r.off - int64(len(r.rest)), false}
			r.rest, r.seen = nil, 0
			return ln, nil
		}
		if err := r.fill(); err != nil {
			return line{}, err
		}
	}
}

// fill reads the next chunk behind rest, in a larger buffer if rest fills it.
func (r *lineReader) fill() error {
	n := len(r.rest)
	if n > len(r.buf)/2 {
		larger := make([]byte, 2*len(r.buf))
		copy(larger, r.rest)
		r.buf = larger
	} else {
		copy(r.buf, r.rest)
	}
	room := r.buf[n:min(int64(len(r.buf)), int64(n)+r.to-r.off)]
	m, err := r.file.ReadAt(room, r.off)
	if m > 0 && r.tap != nil {
		r.tap(room[:m], r.off)
	}
	r.rest = r.buf[:n+m]
	r.off += int64(m)
	switch {
	case m == len(room):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}
