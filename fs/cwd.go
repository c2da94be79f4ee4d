package fs

import iofs "io/fs"

// cwdFile holds the project's cwd, exactly.
type cwdFile struct {
	t *Tree
	p *project
}

func (f cwdFile) ID() ID { return makeID(kindCwd, f.t.keys.of(f.p.key), 0) }

func (f cwdFile) Ino() uint64 { return inoOf(kindCwd, f.p.key) }

func (f cwdFile) Attr() (Attr, error) { return f.p.attr(f.t, f.mode()), nil }

func (f cwdFile) provisional() Attr { return f.p.provisional(f.mode()) }

func (f cwdFile) mode() iofs.FileMode { return f.p.mode(mostReadable) & fileBits }

func (f cwdFile) text() ([]byte, error) { return []byte(f.p.cwd + "\n"), nil }

func (f cwdFile) peek() ([]byte, bool) { return peekCheap(f) }
