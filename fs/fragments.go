package fs

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// Kinds of cached values.
const (
	cachedFragment    uint8 = iota // render.Fragment of a step
	cachedMessages                 // []byte: a step's messages in context.json
	cachedContext                  // *composite of an entry
	cachedContextJSON              // *composite of an entry
	cachedTranscript               // *composite of a version
	cachedPath                     // []int32 of an entry
	cachedImages                   // []imageRef of a version
	cachedText                     // []byte: cachedText + kind, a text of an entry or version
)

// noEdit stands in a step for an entry without a context edit.
const noEdit = int32(tree.None)

// fragment returns the rendering of a step, which is made at most once while it
// is cached.
func (s *session) fragment(v *store.View, step tree.Step) (render.Fragment, error) {
	return cached(s, s.key(cachedFragment, step), func() (render.Fragment, int64, error) {
		e, err := v.Entry(int(step.Entry))
		if err != nil {
			return render.Fragment{}, 0, err
		}
		return s.render(v, step, e)
	})
}

// aheadBytes is about how much is rendered at once when a fragment is missing:
// readers read on, and neighbours in the file are read together.
const aheadBytes = 256 << 10

// fragmentOf is fragment of steps[i], when those after it are likely to be wanted
// next.
func (s *session) fragmentOf(v *store.View, steps []tree.Step, i int) (render.Fragment, error) {
	if f, ok := peek[render.Fragment](s, s.key(cachedFragment, steps[i])); ok {
		return f, nil
	}
	sizes, _ := s.sizes.fragments(steps[i:min(i+aheadBytes/256, len(steps))])
	n, bytes := 1, sizes[0].text
	for n < len(sizes) && bytes+sizes[n].text < aheadBytes {
		bytes += sizes[n].text
		n++
	}
	if n > 1 {
		if err := s.cacheFragments(v, steps[i:i+n]); err != nil {
			return render.Fragment{}, err
		}
	}
	return s.fragment(v, steps[i])
}

// cacheFragments sees to it that the steps' fragments have been in the cache.
func (s *session) cacheFragments(v *store.View, steps []tree.Step) error {
	return eachStep(v, steps, func(step tree.Step, e model.Entry) error {
		_, err := cached(s, s.key(cachedFragment, step), func() (render.Fragment, int64, error) {
			return s.render(v, step, e)
		})
		return err
	})
}

// render makes the fragment of a step from the entry's body and takes note of its
// length. It returns what the fragment takes in memory, too.
func (s *session) render(v *store.View, step tree.Step, e model.Entry) (render.Fragment, int64, error) {
	edit, err := editOf(v, step)
	if err != nil {
		return render.Fragment{}, 0, err
	}
	s.tree.stats.renders.Add(1)
	f := render.Entry(e, place(v.Tree, step, edit))
	s.sizes.setFragment(step, f, render.InContext(e, 0, edit))
	return f, int64(cap(f.Text)) + 4*int64(cap(f.Links)) + 96, nil
}

// measure returns the sizes of the steps' fragments. What has to be rendered for
// that is read in one go and goes to the cache.
func (s *session) measure(v *store.View, steps []tree.Step) ([]fragmentSize, error) {
	all, missing := s.sizes.fragments(steps)
	if len(missing) == 0 {
		return all, nil
	}
	if err := s.cacheFragments(v, missing); err != nil {
		return nil, err
	}
	all, _ = s.sizes.fragments(steps)
	return all, nil
}

// eachStep calls f with the entries of steps.
func eachStep(v *store.View, steps []tree.Step, f func(tree.Step, model.Entry) error) error {
	entries := make([]int32, len(steps))
	for i, step := range steps {
		entries[i] = step.Entry
	}
	next := 0
	return v.Each(entries, func(_ int, e model.Entry) error {
		step := steps[next]
		next++
		return f(step, e)
	})
}

// editOf reads the context_edit of a step, nil if it has none.
func editOf(v *store.View, step tree.Step) (*model.Entry, error) {
	if step.Edit == noEdit {
		return nil, nil
	}
	edit, err := v.Entry(int(step.Edit))
	return &edit, err
}

// place is what the rendering of a step needs to know of the tree. All of it
// follows from the entries up to the step's, so that a fragment never changes.
func place(t *tree.Tree, step tree.Step, edit *model.Entry) render.Place {
	i := int(step.Entry)
	p := render.Place{ID: t.ID(i), Time: t.Time(i), Edit: edit}
	if edit != nil {
		p.EditID = t.ID(int(step.Edit))
	}
	switch parent := t.Parent(i); {
	case parent == i-1: // also None of the first
	case parent == tree.None:
		p.Parent = "root"
	default:
		p.Parent = t.ID(parent)
	}
	return p
}

// key is the cache key of what is kept of a step.
func (s *session) key(kind uint8, step tree.Step) store.Key {
	return store.Key{Slot: s.store.Slot, Kind: kind, Entry: step.Entry, Edit: step.Edit}
}

// cached returns the value of key in the tree's cache, computing it if need be.
func cached[T any](s *session, key store.Key, compute func() (T, int64, error)) (T, error) {
	value, err := s.tree.cache.Get(key, func() (any, int64, error) { return compute() })
	if err != nil {
		var zero T
		return zero, err
	}
	return value.(T), nil
}

// peek returns the value of key if it is in the cache.
func peek[T any](s *session, key store.Key) (value T, ok bool) {
	kept, ok := s.tree.cache.Peek(key)
	if ok {
		value = kept.(T)
	}
	return value, ok
}
