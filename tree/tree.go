// Package tree holds the structure of a session: which entry is whose parent,
// where its branches end, what is labelled and named, and which entries make up
// the model's context at an entry (the rules of pi's session manager).
//
// A [Tree] knows no bodies. It is built from [model.Fields] in file order and
// costs about two dozen bytes an entry; entries are named by their index in file
// order, the header not counted. What needs a body ([Messages]) is given one.
package tree

import (
	"slices"

	"github.com/pifs/pifs/model"
)

// None stands where there is no entry.
const None = -1

// A Tree is the structure of one session at one moment. It is immutable and safe
// for concurrent use. Slices that its methods return must not be changed.
type Tree struct {
	columns
	revision int
	children childIndex
	branches branchIndex
	labels   labelIndex
}

// Revision counts how often entries that earlier trees of the same Builder had shown
// have changed since: their parents or what they are called, because a later entry
// took their id, or was the parent that they had named. Between trees of one
// revision all that changes is at the end.
func (t *Tree) Revision() int { return t.revision }

// Len returns the number of entries.
func (t *Tree) Len() int { return t.len() }

// ID returns what entry i is called: its id, or "line-N" after its line if it
// has none or if a later entry has the same id. No two entries have one ID: an
// entry whose id happens to be "line-N" keeps it, and the other is "line-N~2".
func (t *Tree) ID(i int) string {
	if t.unnamed(int32(i)) {
		return t.alias(int32(i))
	}
	return t.id(int32(i))
}

// Lookup returns the entry that ID calls id.
func (t *Tree) Lookup(id string) (i int, ok bool) {
	found := t.find(id)
	if found == None {
		found = t.findAlias(id)
	}
	return int(found), found != None
}

// Shadowed tells whether a later entry has taken the id of entry i. Such an
// entry is in the list of entries but, as in pi, no longer in the tree: it has
// no children and is neither root nor leaf.
func (t *Tree) Shadowed(i int) bool { return t.isShadowed(int32(i)) }

// Line returns the line of the file, from 1, on which entry i stands.
func (t *Tree) Line(i int) int { return int(t.line(int32(i))) }

// Kind returns the kind of entry i.
func (t *Tree) Kind(i int) model.Kind { return t.kind(int32(i)) }

// Word returns the role of entry i if it is a message, else its type, "" if that
// is missing or no string.
func (t *Tree) Word(i int) string {
	switch t.Kind(i) {
	case model.KindUnknown, model.KindMessageOther:
		at, found := slices.BinarySearchFunc(t.words, int32(i), word.compare)
		if !found {
			return ""
		}
		return t.words[at].text.Value()
	}
	return t.Kind(i).String()
}

// MayHaveImages tells whether entry i may hold image blocks; false is certain.
func (t *Tree) MayHaveImages(i int) bool { return t.kinds[i]&hasImages != 0 }

// Parent returns the parent of entry i, None if i is a root: its parentId is
// null or missing, its own, not there, or closes a cycle. Of the entries of a
// cycle the one that stands first in the file is taken to close it.
func (t *Tree) Parent(i int) int { return int(t.parents[i]) }

// Orphan tells whether entry i is a root although it names a parent.
func (t *Tree) Orphan(i int) bool { return t.parents[i] == None && t.kinds[i]&hasParent != 0 }

// ClosesCycle tells whether entry i is a root because its parents lead back to it.
func (t *Tree) ClosesCycle(i int) bool {
	_, found := slices.BinarySearchFunc(t.severed, int32(i), link.compare)
	return found
}

// Path returns the entries from the root to entry i, inclusive: pi's getBranch.
// It ends at a parentId that JavaScript takes as false, such as "".
func (t *Tree) Path(i int) []int32 {
	depth := 0
	for at := int32(i); at != None; at = t.walkUp(at) {
		depth++
	}
	path := make([]int32, depth)
	for at := int32(i); at != None; at = t.walkUp(at) {
		depth--
		path[depth] = at
	}
	return path
}

// Target returns what entry i points at: the targetId of a label, context_edit or
// leaf entry, the firstKeptEntryId of a compaction. ok is false if it has none.
func (t *Tree) Target(i int) (id string, ok bool) {
	f := t.fact(int32(i))
	return f.target, f.hasTarget
}
