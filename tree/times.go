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
	before, after := t.untimedRun(int32(i))
	before--
	switch hasBefore, hasAfter := before >= 0, int(after) < t.len(); {
	case hasBefore && (!hasAfter || int32(i)-before <= after-int32(i)):
		return t.times[before]
	case hasAfter:
		return t.times[after]
	}
	return model.NoTime
}

// untimedRun returns the entries without a good time around entry i: those from
// start up to end. It is empty if i has one.
func (t *Tree) untimedRun(i int32) (start, end int32) {
	at, found := slices.BinarySearch(t.untimed, i)
	if !found {
		return i + 1, i // so that the nearest good time is the entry's own
	}
	// Within a run untimed[k]-k is the same, and greater in each later run.
	first := sort.Search(at, func(k int) bool { return t.untimed[k]-int32(k) >= i-int32(at) })
	past := at + sort.Search(len(t.untimed)-at, func(k int) bool {
		return t.untimed[at+k]-int32(at+k) > i-int32(at)
	})
	return t.untimed[first], t.untimed[past-1] + 1
}
