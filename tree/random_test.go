package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// fuzzIDs are few, so that parents come late, ids are used again and cycles close.
var fuzzIDs = []string{"00000001", "deadbeef", "DEADBEEF", "a", "", "line-3", "line-3~2", "ffffffff", "root",
	"0198a3e6-3001-77e8-9bb0-7e5ba1832254", "00000002", "line-5", "00000003", "00000004", "00000005", "00000006"}

var fuzzKinds = []model.Kind{model.KindUser, model.KindAssistant, model.KindLabel, model.KindCompaction,
	model.KindContextEdit, model.KindLeaf, model.KindSystem, model.KindSessionInfo, model.KindModelChange,
	model.KindThinkingLevelChange, model.KindUnknown, model.KindCustom, model.KindToolResult, model.KindMessageOther,
	model.KindUser, model.KindLabel}

// entryFrom makes an entry of four bytes.
func entryFrom(data [4]byte, n int) (line int, f model.Fields) {
	nibble := func(b byte, high bool) int {
		if high {
			return int(b >> 4)
		}
		return int(b & 15)
	}
	f.Kind = fuzzKinds[nibble(data[0], false)]
	if f.ID, f.HasID = fuzzIDs[nibble(data[0], true)], data[2]&7 != 0; !f.HasID {
		f.ID = ""
	}
	if f.ParentID, f.HasParent = fuzzIDs[nibble(data[1], false)], data[2]&0x38 != 0; !f.HasParent {
		f.ParentID = ""
	}
	f.TargetID, f.HasTarget = fuzzIDs[nibble(data[1], true)], data[2]&0xc0 != 0
	if f.Time = int64(nibble(data[3], false)); f.Time == 15 {
		f.Time = model.NoTime
	}
	switch f.Kind {
	case model.KindLabel, model.KindSessionInfo:
		f.Text = []string{"", "x", "y", " z "}[data[3]>>6]
	case model.KindCompaction:
		f.Retained = data[3]>>6 == 3
	case model.KindUnknown, model.KindMessageOther:
		f.Word = []string{"", "odd"}[data[3]>>7]
	}
	f.Images = data[3]&0x20 != 0
	return firstLine + n + n/3, f
}

// checkAgainst compares every answer of t with the definitions'.
func checkAgainst(t *testing.T, want reference, got *Tree) {
	require.Equal(t, len(want.fields), got.Len())
	for i, f := range want.fields {
		at := fmt.Sprintf("entry %d", i)
		require.Equal(t, want.id(i), got.ID(i), at)
		found, ok := got.Lookup(got.ID(i))
		require.True(t, ok, at)
		require.Equal(t, i, found, at)
		require.Equal(t, want.isOld[i], got.Shadowed(i), at)
		require.Equal(t, want.lines[i], got.Line(i), at)
		require.Equal(t, want.parents[i], got.Parent(i), at)
		require.Equal(t, want.parents[i] == None && f.HasParent, got.Orphan(i), at)
		require.Equal(t, want.closesCycle(i), got.ClosesCycle(i), at)
		require.Equal(t, want.path(i), got.Path(i), at)
		require.Equal(t, want.nearTime(i), got.NearTime(i), at)
		require.Equal(t, want.label(i), got.Label(i), at)
		require.Equal(t, f.Kind, got.Kind(i), at)
		require.Equal(t, f.Images, got.MayHaveImages(i), at)
		require.Equal(t, want.context(i), got.Context(i), at)
		checkChildren(t, want, got, i)
		target, has := got.Target(i)
		require.Equal(t, f.HasTarget, has, at)
		if has {
			require.Equal(t, f.TargetID, target, at)
		}
		switch f.Kind {
		case model.KindUnknown, model.KindMessageOther:
			require.Equal(t, f.Word, got.Word(i), at)
		default:
			require.Equal(t, f.Kind.String(), got.Word(i), at)
		}
	}
	checkChildren(t, want, got, None)
	require.Equal(t, want.leaf(), got.Leaf(), "leaf")
	require.Equal(t, want.current(), got.Current(), "current")
	requireSame(t, want.leaves(), got.Leaves(), "leaves")
	requireSame(t, want.branches(), got.Branches(), "branches")
	require.Equal(t, want.labels(), got.Labels(), "labels")
	for _, id := range append(fuzzIDs, "line-2", "line-4", "line-07", "line-", "line-3~3", "nobody") {
		if found, ok := got.Lookup(id); ok {
			require.Equal(t, id, want.id(found))
		}
	}
}

// checkChildren leaves out the order of siblings with bad times, which no
// definition gives.
func checkChildren(t *testing.T, want reference, got *Tree, i int) {
	hasBad := func(j int32) bool { return want.fields[j].Time == model.NoTime }
	if list := want.children(i); i != None && slices.ContainsFunc(list, hasBad) {
		require.ElementsMatch(t, list, got.Children(i), "children of %d", i)
	} else {
		requireSame(t, list, got.Children(i), fmt.Sprintf("children of %d", i))
	}
}

// requireSame takes nil and empty as equal.
func requireSame(t *testing.T, want, got []int32, what string) {
	if len(want)+len(got) > 0 {
		require.Equal(t, want, got, what)
	}
}

// checkGrowth adds entries one by one and compares at every length: a builder
// that gives a tree each time, one that gives its first now, and at the end all
// the trees of the past, which must not have changed.
func checkGrowth(t *testing.T, data []byte) {
	var fields []model.Fields
	var lines []int
	var growing Builder
	var past []*Tree
	for n := 0; len(data) >= 4 && n < 40; n++ {
		line, f := entryFrom([4]byte(data), n)
		data = data[4:]
		fields, lines = append(fields, f), append(lines, line)
		require.Equal(t, n, growing.Add(line, f))
		if n%3 == 1 {
			continue // Some trees see several new entries at once.
		}
		checkAgainst(t, newReference(fields, lines), growing.Tree())
		past = append(past, growing.Tree())
	}
	for _, tree := range past {
		old := newReference(fields[:tree.Len()], lines[:tree.Len()])
		checkAgainst(t, old, &Tree{columns: tree.columns})

		var atOnce Builder
		for i, f := range old.fields {
			atOnce.Add(old.lines[i], f)
		}
		checkAgainst(t, old, atOnce.Tree())
	}
}

func TestRandomTreesEqualTheDefinitions(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for seed := range uint64(rounds) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 4*(1+random.IntN(30)))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { checkGrowth(t, data) }) {
			break
		}
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte{0x10, 0x00, 0x09, 0x01})
	f.Add([]byte{0x00, 0x01, 0xff, 0x01, 0x10, 0x00, 0xff, 0x02}) // a cycle of two
	f.Add([]byte{0x40, 0x05, 0xff, 0x01, 0x50, 0x04, 0xff, 0x02}) // one through the id ""
	f.Fuzz(checkGrowth)
}

func TestSiblingsWithBadTimesAreSortedAsV8Does(t *testing.T) {
	bad := int64(model.NoTime)
	// What node 24 makes of [...].sort((a, b) => a - b) with NaN for bad.
	for _, c := range []struct{ times, want []int64 }{
		{[]int64{5, bad, 3}, []int64{5, bad, 3}},
		{[]int64{4, 5, 6, bad, 7, 3}, []int64{3, 4, 5, 6, bad, 7}},
		{[]int64{9, 8, bad, 7, 1}, []int64{1, 7, 8, 9, bad}},
		{[]int64{3, 2, 1}, []int64{1, 2, 3}},
		{[]int64{bad, 7, bad, 6, 2}, []int64{bad, 7, bad, 2, 6}},
		{[]int64{bad, bad}, []int64{bad, bad}},
	} {
		var b Builder
		b.Add(2, model.Fields{ID: "root", HasID: true})
		for i, time := range c.times {
			b.Add(3+i, model.Fields{Time: time, ParentID: "root", HasParent: true})
		}
		var got []int64
		for _, i := range b.Tree().Children(0) {
			got = append(got, b.times[i])
		}
		assert.Equal(t, c.want, got, "%v", c.times)
	}
}
