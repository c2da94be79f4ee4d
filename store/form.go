package store

import (
	"encoding/binary"

	"github.com/pifs/pifs/internal/packed"
	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/tree"
)

// A mark says which bytes of a file were read: so many, from the first on, with this
// checksum.
type mark struct {
	seen int64
	sum  uint32
}

func (m mark) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(m.seen))
	return binary.LittleEndian.AppendUint32(dst, m.sum)
}

func readMark(r *packed.Reader) mark { return mark{r.Number(maxOffset), r.Uint32()} }

// maxOffset is more than any file has bytes, and so little that a sum of two offsets
// is one.
const maxOffset = 1 << 61

// appendTo appends the index as bytes, about 25 an entry, of which readIndex makes
// one that takes further lines with the same outcome. The header is not among them,
// nor is the prologue, which is over once there is a header.
func (x *index) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(x.head.size))
	dst = binary.LittleEndian.AppendUint32(dst, x.head.sum)
	dst = mark{x.seen, x.sum}.appendTo(dst)
	dst = append(dst, x.last[:]...)
	dst = binary.AppendUvarint(dst, uint64(len(x.marks)))
	for _, m := range x.marks {
		dst = m.appendTo(dst)
	}
	dst = binary.AppendUvarint(dst, uint64(x.lines))
	dst = binary.AppendUvarint(dst, uint64(x.end))
	cr := x.tailCR && (x.tail == tailValue || x.tail == tailDamaged) // else it is of another line
	dst = append(dst, byte(x.tail), bits(cr, x.odd.crlf, x.odd.noID, x.odd.noType, x.odd.badTime))
	dst = x.tally.appendTo(dst)
	dst = x.appendNotes(dst)
	dst = appendFrame(dst, x.migrator.AppendBinary)
	dst = appendFrame(dst, x.builder.AppendBinary)
	return x.spans.appendTo(dst)
}

// readIndex makes an index of what appendTo has appended. It has the head h, which
// must be that of the index that was appended. There is an error if data is anything
// else; an index that is made leads to no offset outside of the bytes that it has
// seen, and to no entry that is not there.
func readIndex(h *head, data []byte) (*index, error) {
	x := newIndex(h)
	r := packed.NewReader(data)
	r.Check(r.Number(headBytes) == h.size)
	r.Check(r.Uint32() == h.sum)
	now := readMark(r)
	x.seen, x.sum = now.seen, now.sum
	copy(x.last[:], r.Bytes(anchorBytes))
	for range r.Count(1 + 4) {
		x.marks = append(x.marks, readMark(r))
	}
	x.lines = int(r.Number(x.seen))
	x.end = r.Number(x.seen)
	x.readTail(r)
	x.tally = readTally(r)
	x.readNotes(r)
	x.migrator = migrate.New(h.header)
	readFrame(r, x.migrator.UnmarshalBinary)
	readFrame(r, x.builder.UnmarshalBinary)
	entries := x.builder.Tree().Len()
	x.spans = readSpans(r, entries, x.seen)
	r.Check(x.tally.firstAt < entries)
	for _, d := range x.damaged {
		r.Check(d.Before <= entries)
	}
	return x, r.End()
}

// appendFrame appends what a part of the index appends, and how much that is.
func appendFrame(dst []byte, appendPart func([]byte) ([]byte, error)) []byte {
	const room = 4
	begin := len(dst) + room
	dst, _ = appendPart(append(dst, make([]byte, room)...)) // never an error
	binary.LittleEndian.PutUint32(dst[begin-room:], uint32(len(dst)-begin))
	return dst
}

func readFrame(r *packed.Reader, readPart func([]byte) error) {
	if n := r.Uint32(); readPart(r.Bytes(int(n))) != nil {
		r.Fail()
	}
}

// bits packs up to eight answers in a byte, the first in its lowest bit.
func bits(answers ...bool) (packed byte) {
	for i, yes := range answers {
		if yes {
			packed |= 1 << i
		}
	}
	return packed
}

func (x *index) readTail(r *packed.Reader) {
	b := r.Bytes(2)
	if b == nil {
		return
	}
	r.Check(tail(b[0]) <= tailDamaged)
	x.tail = tail(b[0])
	for i, answer := range []*bool{&x.tailCR, &x.odd.crlf, &x.odd.noID, &x.odd.noType, &x.odd.badTime} {
		*answer = b[1]&(1<<i) != 0
	}
}

func (t *tally) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.messages))
	dst = binary.AppendVarint(dst, t.active)
	dst = binary.AppendVarint(dst, t.last)
	dst = packed.AppendText(dst, t.first)
	dst = append(dst, bits(t.cut))
	return binary.AppendVarint(dst, int64(t.firstAt))
}

func readTally(r *packed.Reader) (t tally) {
	t.messages = int(r.Number(maxOffset))
	t.active = r.Varint()
	t.last = r.Varint()
	t.first = r.Text()
	if b := r.Bytes(1); b != nil {
		t.cut = b[0] != 0
	}
	t.firstAt = int(r.Varint())
	r.Check(t.firstAt >= tree.None)
	return t
}

// appendNotes appends the damaged lines and what else is odd.
func (x *index) appendNotes(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(x.damaged)))
	for _, d := range x.damaged {
		dst = binary.AppendUvarint(dst, uint64(d.Before))
		dst = binary.AppendUvarint(dst, uint64(d.Line))
		dst = binary.AppendUvarint(dst, uint64(d.Offset))
		dst = binary.AppendUvarint(dst, uint64(d.Len))
		dst = packed.AppendText(dst, d.Code)
	}
	dst = binary.AppendUvarint(dst, uint64(len(x.oddities)))
	for _, w := range x.oddities {
		dst = binary.AppendUvarint(dst, uint64(w.Line))
		dst = packed.AppendText(dst, w.Code)
		dst = packed.AppendText(dst, w.Message)
	}
	return dst
}

func (x *index) readNotes(r *packed.Reader) {
	if n := r.Count(5); n > 0 {
		x.damaged = make([]Damage, n)
	}
	for i := range x.damaged {
		d := Damage{Before: int(r.Number(maxOffset)), Line: int(r.Number(maxOffset))}
		d.Offset, d.Len = r.Number(x.seen), r.Number(x.seen)
		d.Code = r.Text()
		r.Check(d.Offset+d.Len <= x.seen)
		x.damaged[i] = d
	}
	if n := r.Count(3); n > 0 {
		x.oddities = make([]Warning, n)
	}
	for i := range x.oddities {
		x.oddities[i] = Warning{int(r.Number(maxOffset)), r.Text(), r.Text()}
	}
}

func (s *spans) appendTo(dst []byte) []byte {
	dst = packed.Append64(dst, s.starts)
	dst = binary.AppendUvarint(dst, uint64(s.end))
	dst = binary.AppendUvarint(dst, uint64(len(s.gaps)))
	for _, g := range s.gaps {
		dst = binary.AppendUvarint(dst, uint64(g.after))
		dst = binary.AppendUvarint(dst, uint64(g.bytes))
	}
	return dst
}

// readSpans reads the spans of n entries of a file of which so many bytes were seen.
func readSpans(r *packed.Reader, n int, seen int64) spans {
	s := spans{starts: r.Column64(n)}
	s.end = r.Number(seen)
	if gaps := r.Count(2); gaps > 0 {
		s.gaps = make([]gap, gaps)
	}
	for i := range s.gaps {
		s.gaps[i] = gap{int32(r.Number(int64(max(n-1, 0)))), r.Number(seen)}
	}
	r.Check(s.ordered())
	return s
}

// ordered tells whether each entry ends before the next one starts, and the gaps
// are in order.
func (s *spans) ordered() bool {
	gaps := s.gaps
	end := int64(-1) // no entry i can start here or before
	for i, start := range s.starts {
		if len(gaps) > 0 && int(gaps[0].after) == i-1 {
			end += gaps[0].bytes
			gaps = gaps[1:]
		}
		if start < 0 || start > s.end || i > 0 && start <= end {
			return false
		}
		end = start
	}
	return len(gaps) == 0
}
