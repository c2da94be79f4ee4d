package tree

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pifs/pifs/model"
)

// A childIndex lists the children of all entries one after the other, 8 bytes an
// entry, made when it is first asked for.
type childIndex struct {
	once sync.Once
	ends []int32 // ends[i+1] is where the children of entry i end, ends[0] the roots
	list []int32
}

// Children returns the children of entry i ordered by timestamp and, among
// equals, as in the file; of None the roots, in file order: pi's getTree sorts
// children only. Bad times compare equal to all, as in pi's sort.
func (t *Tree) Children(i int) []int32 {
	t.children.once.Do(t.listChildren)
	start := int32(0)
	if i != None {
		start = t.children.ends[i]
	}
	end := t.children.ends[i+1]
	return t.children.list[start:end:end]
}

func (t *Tree) listChildren() {
	c := &t.children
	c.ends = make([]int32, t.len()+1)
	for i, p := range t.parents {
		if !t.isShadowed(int32(i)) {
			c.ends[p+1]++
		}
	}
	sum := int32(0)
	for i, n := range c.ends {
		c.ends[i] = sum
		sum += n
	}
	c.list = make([]int32, sum)
	for i, p := range t.parents {
		if !t.isShadowed(int32(i)) {
			c.list[c.ends[p+1]] = int32(i)
			c.ends[p+1]++
		}
	}
	for i := range t.len() {
		t.sortByTime(c.list[c.ends[i]:c.ends[i+1]])
	}
}

// sortByTime orders siblings as `a.time - b.time` does in JavaScript, where a bad
// time makes the difference NaN and sort takes NaN as equal. Such a comparison
// is no order, so the outcome is the algorithm's: up to 63 siblings exactly V8's.
func (t *Tree) sortByTime(siblings []int32) {
	compare := func(i, j int32) int { return compareTimes(t.times[i], t.times[j]) }
	switch {
	case slices.IsSortedFunc(siblings, compare):
	case len(siblings) < v8MergeLength && slices.ContainsFunc(siblings, func(i int32) bool { return t.times[i] == model.NoTime }):
		sortAsV8(siblings, compare)
	default:
		slices.SortStableFunc(siblings, compare)
	}
}

func compareTimes(a, b int64) int {
	if a == model.NoTime || b == model.NoTime {
		return 0
	}
	return cmp.Compare(a, b)
}

// v8MergeLength is the length from which V8 sorts parts and merges them.
const v8MergeLength = 64

// sortAsV8 sorts fewer than v8MergeLength elements as V8's Array.prototype.sort:
// the run at the start, reversed if it descends, and then each element by binary
// insertion.
func sortAsV8(list []int32, compare func(a, b int32) int) {
	sorted := firstRun(list, compare)
	for ; sorted < len(list); sorted++ {
		pivot := list[sorted]
		left, right := 0, sorted
		for left < right {
			if mid := (left + right) / 2; compare(pivot, list[mid]) < 0 {
				right = mid
			} else {
				left = mid + 1
			}
		}
		copy(list[left+1:sorted+1], list[left:sorted])
		list[left] = pivot
	}
}

// firstRun makes the run at the start of list ascend and returns its length.
func firstRun(list []int32, compare func(a, b int32) int) int {
	n := min(2, len(list))
	if n < 2 {
		return n
	}
	descends := compare(list[1], list[0]) < 0
	for n < len(list) && compare(list[n], list[n-1]) < 0 == descends {
		n++
	}
	if descends {
		slices.Reverse(list[:n])
	}
	return n
}
