package fs

import (
	"maps"
	"slices"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
)

// A gathering is what a text about a whole session needs of the entries' bodies. It is
// gathered in file order, so that what was gathered of a shorter session is gone on
// from: an appended entry costs its own bytes.
type gathering interface {
	// wants tells whether the bodies of entries of a kind are needed.
	wants(model.Kind) bool
	// add takes the next entry.
	add(v *store.View, i int, e *model.Entry)
	// clone returns a gathering that takes more entries and leaves this one as it is.
	clone() gathering
	// cost is what it takes in memory, in bytes.
	cost() int64
}

// gathered returns what begin makes of the entries of v. kind is that of such values in
// the cache.
func gathered[T gathering](s *session, kind uint8, v *store.View, begin func() T) (T, error) {
	n := int32(v.Tree.Len())
	return cached(s, s.key(kind, plainStep(n)), func() (T, int64, error) {
		g, from := begin(), int32(0)
		if last := s.lastGathered(kind); last < n {
			if shorter, ok := peek[T](s, s.key(kind, plainStep(last))); ok {
				g, from = shorter.clone().(T), last
			}
		}
		wanted := all(v, g.wants)
		at, _ := slices.BinarySearch(wanted, from)
		err := v.Each(wanted[at:], func(i int, e *model.Entry) error {
			g.add(v, i, e)
			return nil
		})
		if err == nil {
			s.noteGathered(kind, n)
		}
		return g, g.cost(), err
	})
}

// lastGathered returns of how many entries something was gathered last.
func (s *session) lastGathered(kind uint8) int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gathered[kind]
}

func (s *session) noteGathered(kind uint8, n int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gathered == nil {
		s.gathered = make(map[uint8]int32)
	}
	s.gathered[kind] = max(s.gathered[kind], n)
}

// spent is what the calls of a session took: the figures of info.json.
type spent struct {
	totals model.Usage
	own    *model.Usage // of a fork: without what came with it, that is, what is older than its header
	models map[string]model.Usage
}

func (s *session) beginSpent(v *store.View) *spent {
	g := &spent{models: make(map[string]model.Usage)}
	if v.Header.ParentSession.Text() != "" || v.Header.BranchedFrom.Text() != "" {
		g.own = new(model.Usage)
	}
	return g
}

// wants tells whether entries of kind k can carry a usage that counts.
func (g *spent) wants(k model.Kind) bool {
	return slices.Contains([]model.Kind{model.KindAssistant, model.KindToolResult, model.KindCompaction, model.KindBranchSummary, model.KindUsage}, k)
}

func (g *spent) add(v *store.View, i int, e *model.Entry) {
	u, ok := model.EntryUsage(*e)
	if !ok {
		return
	}
	g.totals.Add(u)
	if t := v.Tree.Time(i); g.own != nil && (t == model.NoTime || t >= v.Summary.Created) {
		g.own.Add(u)
	}
	by := g.models[usedModel(*e)]
	by.Add(u)
	g.models[usedModel(*e)] = by
}

func (g *spent) clone() gathering {
	c := &spent{totals: g.totals, models: maps.Clone(g.models)}
	if g.own != nil {
		own := *g.own
		c.own = &own
	}
	return c
}

func (g *spent) cost() int64 { return 128 + 128*int64(len(g.models)) }

// lines are what tree.txt shows of each entry.
type lines struct {
	of    []string
	bytes int64
}

// summaryLen is how many characters of an entry tree.txt shows.
const summaryLen = 80

func (g *lines) wants(model.Kind) bool { return true }

func (g *lines) add(_ *store.View, _ int, e *model.Entry) {
	line := render.Summary(*e, summaryLen)
	g.of = append(g.of, line)
	g.bytes += int64(len(line)) + 16
}

func (g *lines) clone() gathering { return &lines{slices.Clip(g.of), g.bytes} }
func (g *lines) cost() int64      { return g.bytes }

// touched are the files of files.txt.
type touched struct{ *render.Files }

func (g *touched) wants(k model.Kind) bool {
	return slices.Contains([]model.Kind{model.KindAssistant, model.KindToolResult, model.KindCompaction, model.KindBranchSummary}, k)
}

func (g *touched) add(_ *store.View, _ int, e *model.Entry) { g.Add(*e) }
func (g *touched) clone() gathering                         { return &touched{g.Clone()} }
func (g *touched) cost() int64                              { return 4 * int64(g.Len()) }
