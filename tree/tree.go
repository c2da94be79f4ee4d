// Package tree holds the structure of a session: which entry is whose parent,
// where its branches end, what is labelled and named, and which entries make up
// the model's context at an entry (the rules of pi's session manager).
//
// A [Tree] knows no bodies. It is built from [model.Fields] in file order and
// costs about two dozen bytes an entry; entries are named by their index in file
// order, the header not counted. What needs a body ([Messages]) is given one.
package tree

import "github.com/pifs/pifs/model"

// None stands where there is no entry.
const None = -1

// A Builder takes a session's entries in file order. It is not safe for
// concurrent use; the trees that it gives are.
type Builder struct{}

// Add takes the next entry, which stands on the given line of its file (from 1),
// and returns its index.
func (b *Builder) Add(line int, f model.Fields) int { panic("todo") }

// Tree returns the tree of all entries added so far. It shares memory with the
// builder, costs little, and never changes: later entries are in later trees.
func (b *Builder) Tree() *Tree { panic("todo") }

// A Tree is the structure of one session at one moment. It is immutable and safe
// for concurrent use.
type Tree struct{}

// Len returns the number of entries.
func (t *Tree) Len() int { panic("todo") }

// ID returns what entry i is called: its id, or "line-N" after its line if it
// has none or if a later entry has the same id.
func (t *Tree) ID(i int) string { panic("todo") }

// Shadowed tells whether a later entry has taken the id of entry i. Such an
// entry is in the list of entries but, as in pi, no longer in the tree: it has
// no children and is neither root nor leaf.
func (t *Tree) Shadowed(i int) bool { panic("todo") }

// Lookup returns the entry that ID calls id.
func (t *Tree) Lookup(id string) (i int, ok bool) { panic("todo") }

// Line returns the line of the file, from 1, on which entry i stands.
func (t *Tree) Line(i int) int { panic("todo") }

// Kind returns the kind of entry i.
func (t *Tree) Kind(i int) model.Kind { panic("todo") }

// Word returns the role of entry i if it is a message, else its type, "" if that
// is missing or no string.
func (t *Tree) Word(i int) string { panic("todo") }

// MayHaveImages tells whether entry i may hold image blocks; false is certain.
func (t *Tree) MayHaveImages(i int) bool { panic("todo") }

// Time returns the entry's own timestamp in Unix milliseconds, or model.NoTime.
func (t *Tree) Time(i int) int64 { panic("todo") }

// NearTime returns Time, or the nearest good time in file order (the earlier one
// of two as near), or model.NoTime if the session has none.
func (t *Tree) NearTime(i int) int64 { panic("todo") }

// Parent returns the parent of entry i, None if i is a root: its parentId is
// null or missing, its own, not there, or closes a cycle.
func (t *Tree) Parent(i int) int { panic("todo") }

// Orphan tells whether entry i is a root although it names a parent.
func (t *Tree) Orphan(i int) bool { panic("todo") }

// Children returns the children of entry i, of None the roots, ordered by
// timestamp and, among equals, as in the file. Bad times keep their place, as
// in pi's sort.
func (t *Tree) Children(i int) []int32 { panic("todo") }

// Path returns the entries from the root to entry i, inclusive: pi's getBranch.
// It ends at a parentId that JavaScript takes as false, such as "".
func (t *Tree) Path(i int) []int32 { panic("todo") }

// Leaf returns the entry that pi takes as the current leaf, the last in the file
// unless a leaf entry moves it, or None.
func (t *Tree) Leaf() int { panic("todo") }

// Current returns the entry whose context pi resumes with: Leaf, or its nearest
// ancestor that can change a context, or None. Labels, names and the like are
// passed over, so that writing them does not move it.
func (t *Tree) Current() int { panic("todo") }

// Leaves returns the entries that have no children, in file order.
func (t *Tree) Leaves() []int32 { panic("todo") }

// Branches returns the tips of the tree in file order: the leaves once leafward
// entries that change nothing in a context (labels, names, custom, usage and
// leaf entries, unknown types) are left out, and Current.
func (t *Tree) Branches() []int32 { panic("todo") }

// A Label is a label and the entries that bear it, in file order.
type Label struct {
	Text    string
	Entries []int32
	By      int32 // the label entry that last changed it
}

// Labels returns the labels in use, sorted by text. The last label entry for a
// target in file order decides, whatever its branch.
func (t *Tree) Labels() []Label { panic("todo") }

// Label returns the label of entry i, "" if it has none.
func (t *Tree) Label(i int) string { panic("todo") }

// Name returns the session's display name, trimmed, "" if none, and the
// session_info entry that decided it, or None.
func (t *Tree) Name() (name string, by int) { panic("todo") }

// Target returns what entry i points at: the targetId of a label, context_edit or
// leaf entry, the firstKeptEntryId of a compaction. ok is false if it has none.
func (t *Tree) Target(i int) (id string, ok bool) { panic("todo") }
