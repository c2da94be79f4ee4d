package fs

import (
	"bytes"
	"strings"

	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// entriesDir holds two files for each entry: <id>.json and <id>.md.
type entriesDir struct{ s *session }

func (d entriesDir) ID() ID { return d.s.id(kindEntries, 0) }

func (entriesDir) plentiful() {}

func (d entriesDir) Ino() uint64 { return d.s.ino(kindEntries) }

func (d entriesDir) Attr() (Attr, error) {
	v, _, err := d.s.view()
	if err != nil {
		return Attr{}, err
	}
	return d.s.dir(lastTime(v)), nil
}

func (d entriesDir) Lookup(name string) (Node, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	if base, ok := strings.CutSuffix(name, ".json"); ok {
		if i, ok := findEntry(v.Tree, base); ok {
			return wholeFile{entryJSON{d.s, uint32(i)}}, nil
		}
	}
	if base, ok := strings.CutSuffix(name, ".md"); ok {
		if i, ok := findEntry(v.Tree, base); ok {
			return entryText{d.s, uint32(i)}, nil
		}
	}
	return nil, ErrNotExist
}

func (d entriesDir) Entries() ([]Entry, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	list := make([]Entry, 0, 2*v.Tree.Len())
	for i := range uint32(v.Tree.Len()) {
		name := entryName(v, i)
		list = append(list, Entry{name + ".json", wholeFile{entryJSON{d.s, i}}}, Entry{name + ".md", entryText{d.s, i}})
	}
	return list, nil
}

// entryText is an entry as it stands in context.md and transcript.md.
type entryText struct {
	s *session
	i uint32
}

func (f entryText) ID() ID { return f.s.id(kindEntry, f.i) }

func (f entryText) Ino() uint64 { return f.s.ino(kindEntry, uint64(f.i)) }

func (f entryText) Attr() (Attr, error) { return f.s.entryAttr(kindEntry, f.i) }

// entryAttr is the Attr of a file of entry i.
func (s *session) entryAttr(k kind, i uint32) (Attr, error) {
	v, err := s.entry(i)
	if err != nil {
		return Attr{}, err
	}
	return s.file(timeOf(v, int(i))), nil
}

func (f entryText) step() tree.Step { return plainStep(int32(f.i)) }

func (f entryText) Size() (int64, error) {
	v, err := f.s.entry(f.i)
	if err != nil {
		return 0, err
	}
	if err := f.s.fragments.measure(v, []tree.Step{f.step()}); err != nil {
		return 0, err
	}
	sizeBytes, _ := f.KnownSize()
	return sizeBytes, nil
}

func (f entryText) KnownSize() (sizeBytes int64, ok bool) {
	f.s.fragments.each([]tree.Step{f.step()}, func(_ int, z pieceSize) {
		sizeBytes, ok = z.in(imagesFromEntries), true
	})
	return sizeBytes, ok
}

func (f entryText) ReadAt(p []byte, off int64) (int, error) {
	v, err := f.s.entry(f.i)
	if err != nil {
		return 0, err
	}
	r := pieceReader{p: &f.s.fragments, v: v, steps: []tree.Step{f.step()}}
	defer r.close()
	fragment, err := r.read(0)
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(textIn(fragment, imagesFromEntries)).ReadAt(p, off)
}

// entryJSON is an entry as pi holds it, indented.
type entryJSON struct {
	s *session
	i uint32
}

func (f entryJSON) ID() ID { return f.s.id(kindEntryJSON, f.i) }

func (f entryJSON) Ino() uint64 { return f.s.ino(kindEntryJSON, uint64(f.i)) }

func (f entryJSON) Attr() (Attr, error) { return f.s.entryAttr(kindEntryJSON, f.i) }

func (f entryJSON) peek() ([]byte, bool) { return peek[[]byte](f.s, f.key()) }

func (f entryJSON) key() store.Key {
	return f.s.key(cachedText+uint8(kindEntryJSON), plainStep(int32(f.i)))
}

func (f entryJSON) text() ([]byte, error) {
	v, err := f.s.entry(f.i)
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(), func() ([]byte, int64, error) {
		e, err := v.Entry(int(f.i))
		if err != nil {
			return nil, 0, err
		}
		text := render.EntryJSON(nil, e.Raw)
		return text, int64(cap(text)), nil
	})
}
