package store

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/pifs/pifs/internal/packed"
)

// keptIndex is the name under which indexes are kept. Keep is given others.
const keptIndex = ""

// keptMarks is how many earlier states of an index are known.
const keptMarks = 16

// closeWithin is for how long Close writes indexes that have grown.
const closeWithin = time.Second

// mark says which bytes the index is of.
func (x *index) mark() mark { return mark{x.seen, x.sum} }

// addMark notes that something was kept with a state of the index.
func (x *index) addMark(m mark) {
	if slices.Contains(x.marks, m) {
		return
	}
	// Views have the old slice.
	x.marks = append(slices.Clone(x.marks[max(0, len(x.marks)+1-keptMarks):]), m)
}

// provenBy returns f if another file with the same facts, or this one later, has the
// same bytes as that which had them at the given time. A file that was changed just
// before may be changed again without a trace: then it returns none.
func provenBy(f facts, at time.Time) facts {
	if at.Sub(time.Unix(0, f.ctimeNS)) < tooFresh {
		return facts{}
	}
	return f
}

// sameBytes tells whether a file with the facts f has the bytes that one with the
// facts g had, as far as facts tell.
func (f *facts) sameBytes(g *facts) bool {
	return f.fileID == g.fileID && f.size == g.size && f.mtimeNS == g.mtimeNS && f.ctimeNS == g.ctimeNS
}

// appendTo appends what sameBytes looks at.
func (f *facts) appendTo(dst []byte) []byte {
	for _, n := range []uint64{f.dev, f.ino, uint64(f.size), uint64(f.mtimeNS), uint64(f.ctimeNS)} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	return dst
}

func readFacts(r *packed.Reader) (f facts) {
	if n := r.Column64(5); n != nil {
		f.dev, f.ino, f.size, f.mtimeNS, f.ctimeNS = uint64(n[0]), uint64(n[1]), n[2], n[3], n[4]
	}
	return f
}

// recall returns the index that is kept of the session's file, nil if there is none.
// proof are the facts of a file that has the same bytes.
func (s *Session) recall(f facts) (x *index, proof facts) {
	if s.store.closed.Load() {
		return nil, facts{}
	}
	withBuffer(func(buf *[]byte) {
		kept, ok := s.store.shelf.read(s.Path, keptIndex, f.size, buf)
		if !ok {
			return
		}
		r := packed.NewReader(kept)
		proof = readFacts(r)
		if found, err := readIndex(s.head, r.Rest()); err == nil {
			x = found
			x.addMark(x.mark())
		}
	})
	return x, proof
}

// keep writes the session's index to disk, unless that is done. s.mu is held.
func (s *Session) keep() {
	x := s.index
	if x == nil || s.growth.kept == x.seen {
		return
	}
	s.growth.kept = x.seen
	s.store.shelf.write(s.Path, keptIndex, func(dst []byte) []byte {
		dst = s.growth.proof.appendTo(dst)
		return x.appendTo(dst)
	})
}

// keepGrown writes the indexes that have grown since they were written. Of one that is
// in use just now, and if there are too many, the old one stays, which is as true.
func (s *Store) keepGrown() {
	for begin, sessions := time.Now(), s.Sessions(); len(sessions) > 0 && time.Since(begin) < closeWithin; sessions = sessions[1:] {
		if x := sessions[0]; x.view.Load() != nil && x.mu.TryLock() {
			x.keep()
			x.mu.Unlock()
		}
	}
}

// Keep keeps data beside the index of the session, where Options.Memory lets the
// store keep that. what names it. data must follow from what v, a view of this session,
// tells of its entries, and from nothing else; if it is of the first entries only it
// has to say itself of how many, and also of which version of the program it is. It
// takes the place of what was kept under that name. Nothing that is larger than the
// session's file is recalled. It costs about the copying of data; what was kept last is
// on disk when the store is closed, and it is no error if that fails.
func (s *Session) Keep(what string, v *View, data []byte) {
	s.mu.Lock()
	if s.index == nil { // the session has left the store
		s.mu.Unlock()
		return
	}
	s.index.addMark(v.now)
	s.mu.Unlock()
	s.store.shelf.write(s.Path, what, func(dst []byte) []byte {
		return append(v.now.appendTo(dst), data...)
	})
}

// Recall returns what Keep has kept under the name what, in this process or an
// earlier one. ok is false if there is nothing, or if that was of other bytes than
// those with which the file of v begins. What it tells of the entries that there were
// is as true of v; v may have more of them behind those.
func (s *Session) Recall(what string, v *View) (data []byte, ok bool) {
	withBuffer(func(buf *[]byte) {
		kept, found := s.store.shelf.read(s.Path, what, v.Size, buf)
		if !found {
			return
		}
		r := packed.NewReader(kept)
		if m := readMark(r); m == v.now || slices.Contains(v.marks, m) {
			data, ok = slices.Clone(r.Rest()), true
		}
	})
	return data, ok
}
