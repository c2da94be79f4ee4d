package tree

import (
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/model"
)

// linked is a user message called id(n) below id(parent), without one if that is None.
func linked(n, parent int) model.Fields {
	f := model.Fields{Kind: model.KindUser, ID: hexID(n), HasID: true, Time: int64(n)}
	if parent != None {
		f.ParentID, f.HasParent = hexID(parent), true
	}
	return f
}

// hexID is as random as pi's ids.
func hexID(n int) string { return fmt.Sprintf("%08x", uint32(n+1)*2654435761) }

func chain(n int) *Builder {
	var b Builder
	for i := range n {
		b.Add(firstLine+i, linked(i, i-1))
	}
	return &b
}

// Trees of the past are read while the builder adds entries that extend, shadow
// and re-parent what they see. Run with -race.
func TestTreesAreReadWhileTheBuilderAdds(t *testing.T) {
	b := chain(50)
	var readers sync.WaitGroup
	for n := range 200 {
		tree := b.Tree()
		readers.Go(func() {
			assert.Len(t, tree.Path(49), 50)
			for i := range tree.Len() {
				found, ok := tree.Lookup(tree.ID(i))
				assert.True(t, ok)
				assert.Equal(t, i, found)
				tree.Context(i)
				tree.Label(i)
				assert.LessOrEqual(t, len(tree.Children(i)), tree.Len())
			}
			tree.Branches()
			_, ok := tree.Lookup(hexID(1000 + tree.Len()))
			assert.False(t, ok)
		})
		at := b.len()
		switch n % 5 {
		case 0:
			b.Add(firstLine+at, linked(60+n/10, at-1)) // the id of each second is used again
		case 1:
			b.Add(firstLine+at, linked(1000+at, 1000+at+1)) // its parent comes next
		case 2:
			b.Add(firstLine+at, linked(1000+at, 49))
		case 3:
			b.Add(firstLine+at, model.Fields{Kind: model.KindLabel, ID: "l" + strconv.Itoa(n), HasID: true, TargetID: hexID(n), HasTarget: true, Text: "x"})
		case 4:
			b.Add(firstLine+at, model.Fields{Kind: model.KindUnknown, Word: "odd", Time: model.NoTime})
		}
	}
	readers.Wait()
}

// A tree after one more entry must not cost the entries before it.
func TestGrowthCostsTheNewEntriesOnly(t *testing.T) {
	b := chain(100_000)
	b.Tree()
	const more = 10_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 100_000; i < 100_000+more; i++ {
		b.Add(firstLine+i, linked(i, i-1))
		require.Equal(t, i, b.Tree().Leaf())
	}
	runtime.ReadMemStats(&after)
	perTree := float64(after.TotalAlloc-before.TotalAlloc) / more
	assert.Less(t, perTree, 2000.0, "bytes allocated for a tree that is one entry longer")
}

// Files that make each entry change something in the past must not cost the
// square of their length, nor recursion over their depth.
func TestWorstCasesAreLinear(t *testing.T) {
	if needs.Race {
		return
	}
	const n = 100_000
	for name, fields := range map[string]func(i int) model.Fields{
		"chain":                  func(i int) model.Fields { return linked(i, i-1) },
		"chain in reverse":       func(i int) model.Fields { return linked(n-i, n-i-1) },
		"one id":                 func(i int) model.Fields { return linked(7, 8) },
		"one id and children":    func(i int) model.Fields { return linked(i*(i&1), 0) },
		"one parent, at the end": func(i int) model.Fields { return linked(i+1, n) },
		"one cycle":              func(i int) model.Fields { return linked(i, (i+1)%n) },
		"cycles of two":          func(i int) model.Fields { return linked(i, i^1) },
		"5,000 branches":         func(i int) model.Fields { return linked(i, max(i%(n/5000)-1, i-5000)) },
		"no ids, no times":       func(i int) model.Fields { return model.Fields{Time: model.NoTime} },
		"odd ids": func(i int) model.Fields {
			return model.Fields{ID: strconv.Itoa(i), HasID: true, ParentID: strconv.Itoa(i - 1), HasParent: true}
		},
		"siblings in reverse, some without a time": func(i int) model.Fields {
			f := linked(i, min(0, i-1))
			if f.Time = int64(-i); i%1000 == 0 {
				f.Time = model.NoTime
			}
			return f
		},
		"edits and labels": func(i int) model.Fields {
			f := linked(i, i-1)
			f.Kind, f.TargetID, f.HasTarget, f.Text = model.KindContextEdit, hexID(i/2), true, strconv.Itoa(i)
			if i%2 == 0 {
				f.Kind = model.KindLabel
			}
			return f
		},
		"leaf entries to nowhere": func(i int) model.Fields {
			return model.Fields{Kind: model.KindLeaf, TargetID: "nobody", HasTarget: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			var b Builder
			for i := range n {
				b.Add(firstLine+i, fields(i))
			}
			tree := b.Tree()
			for i := 0; i < n; i += n / 10 {
				tree.Context(i)
			}
			for i := range n {
				tree.Children(i)
				tree.NearTime(i)
				tree.Label(i)
				tree.ClosesCycle(i)
				tree.Lookup(tree.ID(i))
			}
			tree.Branches()
			tree.Leaves()
			tree.Current()
			assert.Less(t, time.Since(start), 30*time.Second)
		})
	}
}
