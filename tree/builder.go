package tree

import (
	"slices"
	"unique"

	"github.com/pifs/pifs/model"
)

// A Builder takes a session's entries in file order. The zero Builder is ready
// for use. It is not safe for concurrent use; the trees that it gives are, also
// while it takes more entries.
type Builder struct {
	columns

	used          int                // ids in the table
	waiting       map[string][]int32 // entries by the parent that has not come yet
	late          []link             // parents that have come since the last settling
	overtaken     []int32            // entries that have lost their id since then
	parentsShared bool               // a tree reads columns.parents
	tableShared   bool               // a tree reads columns.table
	last          *Tree
	revision      int // of the next tree
}

// Add takes the next entry, which stands on the given line of its file (from 1;
// lines must increase), and returns its index.
func (b *Builder) Add(line int, f model.Fields) int {
	i := int32(b.len())
	if by := int32(line) - i; by != b.lastShift() {
		b.shifts = append(b.shifts, shift{i, by})
	}
	b.times = append(b.times, f.Time)
	if f.Time == model.NoTime {
		b.untimed = append(b.untimed, i)
	}
	b.addKind(i, &f)
	b.addID(i, &f)
	b.parents = append(b.parents, b.parentOf(i, &f))
	b.addFact(i, &f)
	b.moveLeaf(i, &f)
	return int(i)
}

func (b *Builder) lastShift() int32 {
	if n := len(b.shifts); n > 0 {
		return b.shifts[n-1].by
	}
	return firstLine
}

func (b *Builder) addKind(i int32, f *model.Fields) {
	kind := uint8(f.Kind)
	if f.Images {
		kind |= hasImages
	}
	if f.HasParent {
		kind |= hasParent
	}
	if f.Word != "" {
		b.words = append(b.words, word{i, unique.Make(f.Word)})
	}
	b.kinds = append(b.kinds, kind)
}

// addID gives entry i its id. An entry that had it loses it, and those that wait
// for it as their parent have found it.
func (b *Builder) addID(i int32, f *model.Fields) {
	hex, isHex := packHex(f.ID)
	switch {
	case !f.HasID:
		hex = noID
	case !isHex:
		hex = uint32(len(b.names))
		b.names = append(b.names, f.ID)
	}
	b.ids = append(b.ids, hex)
	if !f.HasID || !isHex {
		b.kinds[i] |= oddID
	}
	if !f.HasID {
		return
	}
	if earlier := b.takeID(i, f.ID); earlier != None {
		b.overtaken = append(b.overtaken, earlier)
		if b.leaf == refTo(earlier) {
			b.leaf = refTo(i)
		}
	}
	if f.ID == "" {
		b.blank = refTo(i)
	}
	if len(b.waiting) > 0 {
		for _, child := range b.waiting[f.ID] {
			b.late = append(b.late, link{child, i})
		}
		delete(b.waiting, f.ID)
	}
}

// parentOf returns the parent of entry i among those before it. If that has not
// come yet the entry is a root until it does.
func (b *Builder) parentOf(i int32, f *model.Fields) int32 {
	if !f.HasParent || f.HasID && f.ParentID == f.ID {
		return None
	}
	key := keyOf(f.ParentID)
	if i > 0 && b.hasKey(i-1, key) {
		return i - 1
	}
	if _, parent := b.probe(key); parent != None {
		return parent
	}
	if b.waiting == nil {
		b.waiting = make(map[string][]int32)
	}
	b.waiting[f.ParentID] = append(b.waiting[f.ParentID], i)
	return None
}

func (b *Builder) addFact(i int32, f *model.Fields) {
	if f.Kind == model.KindSessionInfo {
		b.named = refTo(i)
	}
	if f.HasTarget || f.Retained || f.Text != "" {
		b.facts = append(b.facts, fact{i, f.HasTarget, f.Retained, f.TargetID, f.Text})
	}
}

// moveLeaf makes entry i the current leaf. A leaf entry, which the agent core
// writes when it navigates, moves it to its target instead: to no entry if that
// is null, and nowhere if there is no such entry (the agent core refuses to make
// such a move and, finding one in a file, to go on).
func (b *Builder) moveLeaf(i int32, f *model.Fields) {
	switch {
	case f.Kind != model.KindLeaf:
		b.leaf = refTo(i)
	case !f.HasTarget:
		b.leaf = 0
	default:
		if target := b.find(f.TargetID); target != None {
			b.leaf = refTo(target)
		}
	}
}

// Tree returns the tree of all entries added so far. It shares memory with the
// builder, costs little, and never changes: later entries are in later trees.
//
// The cost is that of the entries added since the last call, and not of those
// before unless the new ones changed something there: by taking the id of an
// earlier entry, or by being the parent that an earlier one had named.
func (b *Builder) Tree() *Tree {
	if b.last != nil && b.last.Len() == b.len() {
		return b.last
	}
	b.settle()
	if b.last == nil {
		b.clip()
	}
	b.parentsShared, b.tableShared = true, true
	b.last = &Tree{columns: b.columns, revision: b.revision}
	return b.last
}

// clip gives back what the columns have reserved for growth: most sessions are
// read once and never grow.
func (b *Builder) clip() {
	b.parents = slices.Clone(b.parents)
	b.times = slices.Clone(b.times)
	b.kinds = slices.Clone(b.kinds)
	b.ids = slices.Clone(b.ids)
	b.names = slices.Clone(b.names)
	b.facts = slices.Clone(b.facts)
	b.words = slices.Clone(b.words)
	b.resizeTable(tableSize(b.used))
}
