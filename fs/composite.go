package fs

import (
	"fmt"
	"io"
	"sort"
)

// A composite is a file made of pieces that are made when they are read: a
// context of its fragments. It is never put together whole.
type composite struct {
	head []byte
	ends []int64 // where each part ends in the file, ascending
	tail []byte

	// part returns the bytes of part i, as many as ends says, valid until its next call,
	// from a reader like source.
	source pieceReader
	part   func(r *pieceReader, i int) ([]byte, error)
}

// newComposite returns the composite of parts with the given sizes.
func newComposite(head, tail []byte, sizes []int64, source pieceReader, part func(r *pieceReader, i int) ([]byte, error)) *composite {
	at := int64(len(head))
	for i, n := range sizes {
		at += n
		sizes[i] = at
	}
	return &composite{head: head, ends: sizes, tail: tail, source: source, part: part}
}

// load sees to it that the pieces have been in the cache.
func (c *composite) load() error {
	r := c.source
	defer r.close()
	for i := range c.ends {
		if _, err := c.part(&r, i); err != nil {
			return err
		}
	}
	return nil
}

// cost is what the composite takes in memory.
func (c *composite) cost() int64 {
	return int64(cap(c.head)+cap(c.tail)) + 8*int64(cap(c.ends)) + 256
}

// tailAt is where the tail begins.
func (c *composite) tailAt() int64 {
	if n := len(c.ends); n > 0 {
		return c.ends[n-1]
	}
	return int64(len(c.head))
}

// size is the length of the file.
func (c *composite) size() int64 { return c.tailAt() + int64(len(c.tail)) }

// ReadAt reads from the pieces.
func (c *composite) ReadAt(p []byte, off int64) (n int, err error) {
	if off < int64(len(c.head)) {
		n = copy(p, c.head[off:])
	}
	r := c.source
	defer r.close()
	i := sort.Search(len(c.ends), func(i int) bool { return c.ends[i] > off+int64(n) })
	for ; n < len(p) && i < len(c.ends); i++ {
		text, err := c.part(&r, i)
		if err != nil {
			return n, err
		}
		begin := int64(len(c.head))
		if i > 0 {
			begin = c.ends[i-1]
		}
		if c.ends[i]-begin != int64(len(text)) {
			return n, fmt.Errorf("%w: a part has %d bytes, not %d", ErrStale, len(text), c.ends[i]-begin)
		}
		n += copy(p[n:], text[off+int64(n)-begin:])
	}
	if begin := c.tailAt(); n < len(p) && off+int64(n) < c.size() {
		n += copy(p[n:], c.tail[off+int64(n)-begin:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
