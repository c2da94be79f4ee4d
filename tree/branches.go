package tree

import (
	"slices"
	"sync"

	"github.com/pifs/pifs/model"
)

// A branchIndex is computed when it is first asked for.
type branchIndex struct {
	once sync.Once
	tips []int32
}

// Leaf returns the entry that pi takes as the current leaf, the last in the file
// unless a leaf entry moves it, or None. A leaf entry without a target moves it
// before all entries; one whose target is not there leaves it where it was.
func (t *Tree) Leaf() int { return int(t.leaf.index()) }

// Current returns the entry whose context pi resumes with: Leaf, or its nearest
// ancestor that can change a context, or None. Labels, names and the like are
// passed over, so that writing them does not move it.
func (t *Tree) Current() int {
	at := t.leaf.index()
	for at != None && t.isInert(at) {
		at = t.walkUp(at)
	}
	return int(at)
}

// Leaves returns the entries that have no children, in file order.
func (t *Tree) Leaves() []int32 {
	isParent := make([]bool, t.len())
	for i, p := range t.parents {
		if p != None && !t.isShadowed(int32(i)) {
			isParent[p] = true
		}
	}
	return t.without(isParent)
}

// Branches returns the tips of the tree in file order: the leaves once leafward
// entries that change nothing in a context (labels, names, custom, usage and
// leaf entries, unknown types) are left out, and Current.
func (t *Tree) Branches() []int32 {
	t.branches.once.Do(func() {
		tips := t.without(t.continued())
		if current := int32(t.Current()); current != None {
			if at, found := slices.BinarySearch(tips, current); !found {
				tips = slices.Insert(tips, at, current)
			}
		}
		t.branches.tips = tips
	})
	return t.branches.tips
}

// continued tells of each entry whether it is no tip: it can't change a context,
// or has a descendant that can.
func (t *Tree) continued() []bool {
	passed := make([]bool, t.len())
	for i := range int32(t.len()) {
		if t.isInert(i) || t.isShadowed(i) {
			continue
		}
		// Inert entries on the way up are passed on; above another one, and
		// where a walk has been before, its own turn does the rest.
		for at := t.parents[i]; at != None && !passed[at]; at = t.parents[at] {
			passed[at] = true
			if !t.isInert(at) {
				break
			}
		}
	}
	for i := range passed {
		passed[i] = passed[i] || t.isInert(int32(i))
	}
	return passed
}

// without returns the entries that are not marked, nor shadowed, in file order.
func (t *Tree) without(marked []bool) []int32 {
	var list []int32
	for i, is := range marked {
		if !is && !t.isShadowed(int32(i)) {
			list = append(list, int32(i))
		}
	}
	return list
}

// isInert tells whether entry i is of a kind that changes nothing in a context.
func (c *columns) isInert(i int32) bool {
	switch c.kind(i) {
	case model.KindLabel, model.KindSessionInfo, model.KindCustom, model.KindUsage, model.KindLeaf, model.KindUnknown:
		return true
	}
	return false
}
