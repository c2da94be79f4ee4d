package tree

import (
	"slices"
	"sort"

	"github.com/pifs/pifs/model"
)

// Time returns the entry's own timestamp in Unix milliseconds, or model.NoTime.
func (t *Tree) Time(i int) int64 { return t.times[i] }

// NearTime returns Time, or the nearest good time in file order (the earlier one
// of two as near), or model.NoTime if the session has none.
func (t *Tree) NearTime(i int) int64 {
	if t.times[i] != model.NoTime {
		return t.times[i]
	}
	start, end := t.untimedRun(int32(i))
	before, after := int(start)-1, int(end)
	switch hasBefore, hasAfter := before >= 0, after < t.len(); {
	case hasBefore && (!hasAfter || i-before <= after-i):
		return t.times[before]
	case hasAfter:
		return t.times[after]
	}
	return model.NoTime
}

// untimedRun returns the entries without a good time around entry i, which has
// none: those from start up to end.
func (t *Tree) untimedRun(i int32) (start, end int32) {
	at, _ := slices.BinarySearch(t.untimed, i)
	// Within a run untimed[k]-k is the same, and greater in each later run.
	run := func(k int) int32 { return t.untimed[k] - int32(k) }
	first := sort.Search(at, func(k int) bool { return run(k) >= run(at) })
	past := at + sort.Search(len(t.untimed)-at, func(k int) bool { return run(at+k) > run(at) })
	return t.untimed[first], t.untimed[past-1] + 1
}
