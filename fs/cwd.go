package fs

// cwdFile holds the project's cwd, exactly.
type cwdFile struct {
	t *Tree
	p *project
}

func (f cwdFile) ID() ID { return makeID(kindCwd, f.t.keys.of(f.p.key), 0) }

func (f cwdFile) Ino() uint64 { return inoOf(kindCwd, f.p.key) }

func (f cwdFile) Attr() (Attr, error) {
	a, _ := f.attr(true)
	return a, nil
}

func (f cwdFile) Provisional() (Attr, bool) { return f.attr(false) }

func (f cwdFile) attr(scan bool) (Attr, bool) {
	return f.p.attr(f.t, f.p.mode(mostReadable)&fileBits, scan)
}

func (f cwdFile) text() ([]byte, error) { return []byte(f.p.cwd + "\n"), nil }

func (f cwdFile) peek() ([]byte, bool) { return peekCheap(f) }
