package tree

import (
	"cmp"
	"slices"
	"unique"

	"github.com/pifs/pifs/model"
)

// columns are what is known of a session's entries, a slice a fact: 17 bytes an
// entry, and five and a half for the table of ids. What few entries have stands
// in side tables sorted by entry.
//
// A Builder and its trees share the slices. They only grow, and each tree sees no
// more than their length when it was made, so what the Builder appends is not
// seen and not raced for. Where something that a tree sees must change, the
// Builder copies that slice first.
type columns struct {
	parents []int32  // None for roots
	times   []int64  // Unix milliseconds or model.NoTime
	kinds   []uint8  // a model.Kind and the bits below
	ids     []uint32 // 8 hex digits, or with oddID an index of names or noID
	table   []ref    // the entries by id: see find

	names    []string // the ids that are not 8 lowercase hex digits
	shifts   []shift  // where line numbers are not index + firstLine
	facts    []fact   // of entries that point at others or carry a text
	words    []word   // of kinds that do not tell their word
	untimed  []int32  // the entries without a good time
	shadowed []int32  // the entries whose id a later one has taken
	severed  []link   // the entries that close a cycle and the parents that they name

	leaf  ref // the current leaf
	named ref // the last session_info
	blank ref // the entry whose id is ""
}

// Bits of columns.kinds beside the kind.
const (
	kindBits  = 1<<5 - 1
	hasImages = 1 << 5
	oddID     = 1 << 6
	hasParent = 1 << 7 // names a parent
)

// noID stands in columns.ids for an entry without an id.
const noID = 1<<32 - 1

// firstLine is the line of entry 0 where nothing but the header precedes it.
const firstLine = 2

// A ref is the index of an entry plus one; the zero ref is None.
type ref int32

func refTo(i int32) ref             { return ref(i + 1) }
func (r ref) index() int32          { return int32(r) - 1 }
func (c *columns) len() int         { return len(c.ids) }
func (c *columns) odd(i int32) bool { return c.kinds[i]&oddID != 0 }

// A shift tells by how much line numbers exceed indexes from an entry on.
type shift struct{ entry, by int32 }

func (s shift) compare(i int32) int { return cmp.Compare(s.entry, i) }

// A fact is what an entry says about others, or its text.
type fact struct {
	entry     int32
	hasTarget bool
	retained  bool
	target    string
	text      string
}

func (f fact) compare(i int32) int { return cmp.Compare(f.entry, i) }

// A word is the type or role of an entry of a kind that pifs does not know.
type word struct {
	entry int32
	text  unique.Handle[string]
}

func (w word) compare(i int32) int { return cmp.Compare(w.entry, i) }

// A link is an entry and the parent that it names.
type link struct{ entry, parent int32 }

func (l link) compare(i int32) int { return cmp.Compare(l.entry, i) }

func (c *columns) kind(i int32) model.Kind { return model.Kind(c.kinds[i] & kindBits) }

func (c *columns) line(i int32) int32 {
	at, found := slices.BinarySearchFunc(c.shifts, i, shift.compare)
	switch {
	case found:
		return i + c.shifts[at].by
	case at > 0:
		return i + c.shifts[at-1].by
	}
	return i + firstLine
}

// fact returns what entry i says, a zero fact if it says nothing.
func (c *columns) fact(i int32) fact {
	at, found := slices.BinarySearchFunc(c.facts, i, fact.compare)
	if !found {
		return fact{}
	}
	return c.facts[at]
}

func (c *columns) isShadowed(i int32) bool {
	_, found := slices.BinarySearch(c.shadowed, i)
	return found
}

// walkUp returns the next entry on pi's walk from entry i to its root. It ends
// at a parentId that is "", which JavaScript takes as false, although the tree
// hangs the entry below the one with that id.
func (c *columns) walkUp(i int32) int32 {
	if p := c.parents[i]; p != c.blank.index() {
		return p
	}
	return None
}

// id returns the stored id of entry i, "" if it has none.
func (c *columns) id(i int32) string {
	switch {
	case !c.odd(i):
		var digits [8]byte
		return string(appendHex(digits[:0], c.ids[i]))
	case c.ids[i] == noID:
		return ""
	}
	return c.names[c.ids[i]]
}
