package fs

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// Kinds of cached values.
const (
	cachedFragments   uint8 = iota // *batch
	cachedMessages                 // *batch
	cachedContext                  // *composite of an entry
	cachedSetting                  // setting of two entries
	cachedSpent                    // *spent of so many entries
	cachedLines                    // *lines of so many entries
	cachedTouched                  // *touched of so many entries
	cachedContextJSON              // *composite of an entry
	cachedTranscript               // *composite of a version
	cachedPath                     // []int32 of an entry
	cachedImages                   // []imageRef of a version
	cachedText                     // []byte: cachedText + kind, a text of an entry or version
)

// noEdit stands in a step for an entry without a context edit.
const noEdit = int32(tree.None)

// fragmentForm is the form of context.md, transcript.md and entries/<id>.md.
func (s *session) fragmentForm(dst []byte, v *store.View, step tree.Step, e *model.Entry) (text []byte, links []int32, inContext bool, err error) {
	edit, err := editOf(v, step)
	if err != nil {
		return dst, nil, false, err
	}
	s.tree.stats.renders.Add(1)
	text, links = render.AppendEntry(dst, e, place(v.Tree, step, edit))
	return text, links, render.InContext(e, 0, edit), nil
}

// messagesForm is the form of context.json: the messages of an entry, separated.
func (s *session) messagesForm(dst []byte, v *store.View, step tree.Step, e *model.Entry) (text []byte, links []int32, inContext bool, err error) {
	edit, err := editOf(v, step)
	if err != nil {
		return dst, nil, false, err
	}
	messages := tree.Messages(*e, 0, edit)
	for n, m := range messages {
		if n > 0 {
			dst = append(dst, messageSeparator...)
		}
		dst = m.AppendCompact(dst)
	}
	return dst, nil, len(messages) > 0, nil
}

// eachStep calls f with the entries of steps.
func eachStep(v *store.View, steps []tree.Step, f func(tree.Step, *model.Entry) error) error {
	entries := make([]int32, len(steps))
	for i, step := range steps {
		entries[i] = step.Entry
	}
	next := 0
	return v.Each(entries, func(_ int, e *model.Entry) error {
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
