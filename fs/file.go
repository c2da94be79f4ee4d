package fs

import "bytes"

// A whole is a node whose file is made in one piece when it is asked for.
type whole interface {
	Node
	text() ([]byte, error)
	// peek returns the text if that takes next to nothing.
	peek() ([]byte, bool)
}

// wholeFile is the File of a whole.
type wholeFile struct{ whole }

func (f wholeFile) Size() (int64, error) {
	text, err := f.text()
	return int64(len(text)), err
}

func (f wholeFile) KnownSize() (int64, bool) {
	text, ok := f.peek()
	return int64(len(text)), ok
}

func (f wholeFile) ReadAt(p []byte, off int64) (int, error) {
	text, err := f.text()
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(text).ReadAt(p, off)
}

// peekCheap is peek for texts that are cheap to make.
func peekCheap(w whole) ([]byte, bool) {
	text, err := w.text()
	return text, err == nil
}

// A changing is a whole that can be written.
type changing interface {
	whole
	writeable() error
	check(revision) error
	write(revision) error
}

// writableFile is the writable File of a changing.
type writableFile struct{ changing }

func (f writableFile) Size() (int64, error)     { return wholeFile{f}.Size() }
func (f writableFile) KnownSize() (int64, bool) { return wholeFile{f}.KnownSize() }

func (f writableFile) ReadAt(p []byte, off int64) (int, error) { return wholeFile{f}.ReadAt(p, off) }

// An assembly is a node whose file is a composite.
type assembly interface {
	Node
	composite() (*composite, error)
	// size returns the composite's size.
	size() (int64, error)
	// peek returns the composite if it has been put together already.
	peek() (*composite, bool)
}

// compositeFile is the File of an assembly.
type compositeFile struct{ assembly }

func (f compositeFile) Size() (int64, error) { return f.size() }

func (f compositeFile) KnownSize() (int64, bool) {
	c, ok := f.peek()
	if !ok {
		return 0, false
	}
	return c.size(), true
}

func (f compositeFile) ReadAt(p []byte, off int64) (int, error) {
	c, err := f.composite()
	if err != nil {
		return 0, err
	}
	return c.ReadAt(p, off)
}
