package store

import (
	"fmt"
	"io"
	"sync"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// togetherBytes is how much is read at once of entries that stand next to each
// other; gapBytes is how far apart those may be.
const (
	togetherBytes = 256 << 10
	gapBytes      = 4 << 10
)

// bodyBuffers keeps the buffers that entries are read into.
var bodyBuffers = sync.Pool{New: func() any { return new([togetherBytes]byte) }}

// Raw reads the stored line of entry i, cleaned but not migrated. ErrReplaced if
// the file is no longer the one that was scanned.
func (v *View) Raw(i int) (model.Value, error) {
	off, length := v.spans.at(i)
	buf := make([]byte, length)
	if err := v.read(buf, off); err != nil {
		return nil, err
	}
	return asValue(buf), nil
}

// asValue makes a value of an entry's line.
func asValue(text []byte) model.Value { return model.Value(model.Clean(trim(text))) }

// Entry reads and decodes entry i as pi holds it, migrated.
func (v *View) Entry(i int) (model.Entry, error) {
	raw, err := v.Raw(i)
	if err != nil {
		return model.Entry{}, err
	}
	return model.DecodeEntry(v.migrated(i, raw)), nil
}

// migrated is the line of entry i as pi holds it.
func (v *View) migrated(i int, raw model.Value) model.Value {
	return migrate.Entry(raw, v.Version, v.links(i))
}

// links returns what an entry of version 1 does not say itself.
func (v *View) links(i int) migrate.Links {
	if v.Version != 1 {
		return migrate.Links{}
	}
	links := migrate.Links{ID: quoted(v.Tree.ID(i))}
	if parent := v.Tree.Parent(i); parent != tree.None {
		links.ParentID = quoted(v.Tree.ID(parent))
	}
	if kept, ok := v.Tree.Target(i); ok {
		links.FirstKeptEntryID = quoted(kept)
	}
	return links
}

func quoted(text string) model.Value { return model.AppendString(nil, text) }

// Each calls f with the given entries (indexes in any order) as Entry gives them,
// in the given order, reading neighbours together. An entry is valid during the
// call only. It stops at the first error.
func (v *View) Each(entries []int32, f func(i int, e *model.Entry) error) error {
	buf := bodyBuffers.Get().(*[togetherBytes]byte)
	defer bodyBuffers.Put(buf)
	var e model.Entry
	for len(entries) > 0 {
		n, off, length := v.together(entries)
		chunk := buf[:min(length, togetherBytes)]
		if length > togetherBytes {
			chunk = make([]byte, length) // one entry
		}
		if err := v.read(chunk, off); err != nil {
			return err
		}
		for _, i := range entries[:n] {
			start, length := v.spans.at(int(i))
			text := chunk[start-off:][:length]
			e.Decode(v.migrated(int(i), asValue(text)))
			if err := f(int(i), &e); err != nil {
				return err
			}
		}
		entries = entries[n:]
	}
	return nil
}

// together returns how many of the entries, from the first on, can be read at
// once, and the part of the file that they stand in.
func (v *View) together(entries []int32) (n int, off, length int64) {
	off, length = v.spans.at(int(entries[0]))
	end := off + length
	for n = 1; n < len(entries); n++ {
		start, length := v.spans.at(int(entries[n]))
		if start < end || start-end > gapBytes || start+length-off > togetherBytes {
			break
		}
		end = start + length
	}
	return n, off, end - off
}

// DamagedLine reads the bytes of a damaged line.
func (v *View) DamagedLine(d Damage) ([]byte, error) {
	buf := make([]byte, d.Len)
	return buf, v.read(buf, d.Offset)
}

// read fills buf from offset off of the file and makes sure afterwards that the
// file is the one that was scanned, so that what was read is what was scanned.
func (v *View) read(buf []byte, off int64) error {
	s := v.Session
	if s.gone.Load() {
		return ErrReplaced
	}
	err := s.store.files.with(s, func(file *openFile) error {
		n, err := file.ReadAt(buf, off)
		s.store.counts.bodyReads.Add(1)
		s.store.counts.bodyBytes.Add(int64(n))
		switch {
		case err == io.EOF && n < len(buf):
			return ErrReplaced
		case err != nil && err != io.EOF:
			return err
		}
		return v.prove(file)
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	return nil
}

// prove makes sure that the file still holds the view's bytes. That costs one
// fstat as long as nobody writes to the file.
func (v *View) prove(file *openFile) error {
	f, err := file.facts()
	switch {
	case err != nil:
		return err
	case *v.proven.Load() == f:
		return nil
	case f.size < v.Size:
		return ErrReplaced
	}
	held, err := v.Session.store.holds(v.anchor, file)
	switch {
	case err != nil:
		return err
	case !held || v.Session.gone.Load():
		return ErrReplaced
	}
	v.proven.Store(&f)
	return nil
}
