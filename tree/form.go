package tree

import (
	"encoding/binary"
	"maps"
	"slices"
	"unique"

	"github.com/pifs/pifs/internal/packed"
	"github.com/pifs/pifs/model"
)

// AppendBinary appends the builder as bytes, 17 for most entries, from which
// UnmarshalBinary makes it again. It makes the tree of the entries so far, as Tree
// does. There is never an error.
//
// The form is this package's and may differ from one of its versions to the next,
// and so may the numbers of model.Kind, which are in it. It has the columns as they
// are; what follows from them (the table of ids above all, whose order is of one
// process) is left out.
func (b *Builder) AppendBinary(dst []byte) ([]byte, error) {
	b.Tree()
	dst = binary.AppendUvarint(dst, uint64(b.len()))
	dst = packed.Append32(dst, b.parents)
	dst = packed.Append64(dst, b.times)
	dst = append(dst, b.kinds...)
	dst = packed.Append32(dst, b.ids)
	dst = binary.AppendUvarint(dst, uint64(b.leaf))
	dst = binary.AppendUvarint(dst, uint64(len(b.names)))
	dst = packed.AppendTexts(dst, b.names)
	dst = b.appendShifts(dst)
	dst = b.appendFacts(dst)
	dst = b.appendWords(dst)
	dst = b.appendSevered(dst)
	return b.appendWaiting(dst), nil
}

func (b *Builder) appendShifts(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b.shifts)))
	for _, s := range b.shifts {
		dst = packed.Append32(dst, []int32{s.entry, s.by})
	}
	return dst
}

// Bits of a fact.
const (
	factTarget = 1 << iota
	factRetained
)

func (b *Builder) appendFacts(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b.facts)))
	texts := make([]string, 0, 2*len(b.facts))
	for _, f := range b.facts {
		var bits byte
		if f.hasTarget {
			bits |= factTarget
		}
		if f.retained {
			bits |= factRetained
		}
		dst = append(packed.Append32(dst, []int32{f.entry}), bits)
		texts = append(texts, f.target, f.text)
	}
	return packed.AppendTexts(dst, texts)
}

func (b *Builder) appendWords(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b.words)))
	texts := make([]string, 0, len(b.words))
	for _, w := range b.words {
		dst = packed.Append32(dst, []int32{w.entry})
		texts = append(texts, w.text.Value())
	}
	return packed.AppendTexts(dst, texts)
}

func (b *Builder) appendSevered(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b.severed)))
	for _, l := range b.severed {
		dst = packed.Append32(dst, []int32{l.entry, l.parent})
	}
	return dst
}

func (b *Builder) appendWaiting(dst []byte) []byte {
	parents := slices.Sorted(maps.Keys(b.waiting))
	dst = binary.AppendUvarint(dst, uint64(len(parents)))
	dst = packed.AppendTexts(dst, parents)
	for _, id := range parents {
		dst = binary.AppendUvarint(dst, uint64(len(b.waiting[id])))
		dst = packed.Append32(dst, b.waiting[id])
	}
	return dst
}

// UnmarshalBinary makes b what the builder was that data was appended by: it takes
// more entries with the same outcome. Their tree counts as one that somebody has
// seen; Revision counts from there, from 0. It keeps nothing of data.
//
// There is an error, and b must not be used, if data is not what AppendBinary
// appends. Of data that makes an error nowhere, all that the trees return may be
// wrong, but no index is out of range, and no walk is without end.
func (b *Builder) UnmarshalBinary(data []byte) error {
	*b = Builder{}
	r := packed.NewReader(data)
	n := r.Count(4 + 8 + 1 + 4)
	b.parents = packed.Column32[int32](r, n)
	b.times = r.Column64(n)
	b.kinds = slices.Clone(r.Bytes(n))
	b.ids = packed.Column32[uint32](r, n)
	b.leaf = ref(r.Number(int64(n)))
	b.names = r.Texts(r.Count(1))
	b.readShifts(r)
	b.readFacts(r)
	b.readWords(r)
	b.severed = readLinks(r, n)
	b.readWaiting(r)
	if err := r.End(); err != nil {
		return err
	}
	if !b.consistent() {
		return packed.ErrDamaged
	}
	b.derive()
	b.parentsShared, b.tableShared = true, true
	b.last = &Tree{columns: b.columns}
	return nil
}

// entryIn reads an entry of those before n.
func entryIn(r *packed.Reader, n int) int32 {
	i := r.Uint32()
	if i >= uint32(n) {
		r.Fail()
		return 0
	}
	return int32(i)
}

// ascending reads an entry of those after the one before it and before n.
func ascending(r *packed.Reader, before int32, n int) int32 {
	i := entryIn(r, n)
	r.Check(i > before)
	return i
}

func (b *Builder) readShifts(r *packed.Reader) {
	before := int32(None)
	for range r.Count(4 + 4) {
		s := shift{ascending(r, before, b.len()), int32(r.Uint32())}
		b.shifts, before = append(b.shifts, s), s.entry
	}
}

func (b *Builder) readFacts(r *packed.Reader) {
	n := r.Count(4 + 1 + 2)
	if n == 0 {
		r.Texts(0)
		return
	}
	b.facts = make([]fact, n)
	before := int32(None)
	for i := range b.facts {
		f := &b.facts[i]
		f.entry = ascending(r, before, b.len())
		before = f.entry
		if bits := r.Bytes(1); bits != nil {
			f.hasTarget, f.retained = bits[0]&factTarget != 0, bits[0]&factRetained != 0
		}
	}
	for i, text := range r.Texts(2 * n) {
		if f := &b.facts[i/2]; i%2 == 0 {
			f.target = text
		} else {
			f.text = text
		}
	}
}

func (b *Builder) readWords(r *packed.Reader) {
	n := r.Count(4 + 1)
	if n == 0 {
		r.Texts(0)
		return
	}
	b.words = make([]word, n)
	before := int32(None)
	for i := range b.words {
		before = ascending(r, before, b.len())
		b.words[i].entry = before
	}
	for i, text := range r.Texts(n) {
		b.words[i].text = unique.Make(text)
	}
}

// readLinks reads links between entries before n.
func readLinks(r *packed.Reader, n int) (links []link) {
	before := int32(None)
	for range r.Count(4 + 4) {
		l := link{ascending(r, before, n), entryIn(r, n)}
		links, before = append(links, l), l.entry
	}
	return links
}

func (b *Builder) readWaiting(r *packed.Reader) {
	parents := r.Texts(r.Count(1))
	if len(parents) > 0 {
		b.waiting = make(map[string][]int32, len(parents))
	}
	for _, id := range parents {
		children := packed.Column32[int32](r, r.Count(4))
		for _, i := range children {
			r.Check(i >= 0 && int(i) < b.len())
		}
		b.waiting[id] = children
	}
}

// consistent tells whether the columns lead nowhere else than to entries and names
// that are there, and in no circle.
func (b *Builder) consistent() bool {
	forward := false
	for i, p := range b.parents {
		if p < None || int(p) >= b.len() {
			return false
		}
		forward = forward || int(p) >= i
	}
	if forward {
		cycles := b.severed
		b.sever()
		cycles, b.severed = b.severed, cycles
		if len(cycles) > 0 {
			return false
		}
	}
	for i, bits := range b.kinds {
		if kind := model.Kind(bits & kindBits); kind != model.KindUnknown && kind.String() == "" {
			return false
		}
		if bits&oddID != 0 && b.ids[i] != noID && b.ids[i] >= uint32(len(b.names)) {
			return false
		}
	}
	return true
}

// derive completes the columns with what follows from them.
func (b *Builder) derive() {
	withID := b.len()
	for i, bits := range b.kinds {
		if bits&oddID != 0 && b.ids[i] == noID {
			withID--
		}
		if bits&kindBits == uint8(model.KindSessionInfo) {
			b.named = refTo(int32(i))
		}
		if b.times[i] == model.NoTime {
			b.untimed = append(b.untimed, int32(i))
		}
	}
	b.table = make([]ref, tableSize(withID))
	for i := range int32(b.len()) {
		if b.odd(i) && b.ids[i] == noID {
			continue
		}
		if earlier := b.seat(i); earlier == None {
			b.used++
		} else {
			b.shadowed = append(b.shadowed, earlier)
		}
	}
	slices.Sort(b.shadowed)
	b.blank = refTo(b.find(""))
}
