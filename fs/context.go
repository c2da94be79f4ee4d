package fs

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// imagesFromBranch is the images directory seen from a context.md, imagesFromEntries
// from an entry's text, imagesFromSession from transcript.md.
const (
	imagesFromBranch  = "../../" + nameImages + "/"
	imagesFromEntries = "../" + nameImages + "/"
	imagesFromSession = nameImages + "/"
)

// contextFile is the context at an entry, as Markdown or as JSON.
type contextFile struct {
	s    *session
	kind kind
	at   uint32
}

func (f contextFile) ID() ID { return f.s.id(f.kind, f.at) }

func (f contextFile) Ino() uint64 { return f.s.ino(f.kind, uint64(f.at)) }

func (f contextFile) Attr() (Attr, error) {
	v, err := f.s.entry(f.at)
	if err != nil {
		return Attr{}, err
	}
	return f.s.file(timeOf(v, int(f.at))), nil
}

func (f contextFile) peek() (*composite, bool) { return peek[*composite](f.s, f.key()) }

func (f contextFile) key() store.Key {
	kind := cachedContext
	if f.kind == kindContextJSON {
		kind = cachedContextJSON
	}
	return f.s.key(kind, tree.Step{Entry: int32(f.at), Edit: noEdit})
}

// composite puts the context together.
func (f contextFile) composite() (*composite, error) {
	v, err := f.s.entry(f.at)
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(), func() (*composite, int64, error) {
		assemble := f.s.contextText
		if f.kind == kindContextJSON {
			assemble = f.s.contextJSON
		}
		c, err := assemble(v, f.at)
		if err != nil {
			return nil, 0, err
		}
		return c, c.cost() + 8*int64(len(c.ends)), nil
	})
}

// contextText is the context.md of entry at: a front matter, then the fragments
// of the entries of which the model is sent something.
func (s *session) contextText(v *store.View, at uint32) (*composite, error) {
	ctx := v.Tree.Context(int(at))
	sizes, err := s.fragments.measure(v, ctx.Steps)
	if err != nil {
		return nil, err
	}
	var steps []tree.Step
	var lens []int64
	for n, step := range ctx.Steps {
		older := n > 0 && v.Tree.Kind(int(step.Entry)) == model.KindCompaction
		if sizes[n].inContext && !older {
			steps = append(steps, step)
			lens = append(lens, sizes[n].in(imagesFromBranch))
		}
	}
	head := render.ContextHead{
		Session:  v.Header.ID.Text(),
		Leaf:     v.Tree.ID(int(at)),
		Messages: len(steps),
		Created:  created(v),
		Updated:  timeOf(v, int(at)),
	}
	if head.Model, head.ThinkingLevel, err = modelAndThinking(v, ctx); err != nil {
		return nil, err
	}
	if ctx.Compaction != tree.None {
		more, err := moreMessages(v, ctx.Compaction)
		if err != nil {
			return nil, err
		}
		head.Messages += more
	}
	source := pieceReader{p: &s.fragments, v: v, steps: steps}
	return newComposite(head.Append(nil), nil, lens, source, func(r *pieceReader, i int) ([]byte, error) {
		f, err := r.read(i)
		return textIn(f, imagesFromBranch), err
	}), nil
}

// moreMessages is how many messages a compaction gives beside its summary.
func moreMessages(v *store.View, compaction int) (int, error) {
	e, err := v.Entry(compaction)
	if err != nil {
		return 0, err
	}
	return len(tree.Messages(e, 0, nil)) - 1, nil
}

// textIn is a fragment in a file that sees the images in dir.
func textIn(f render.Fragment, dir string) []byte {
	if len(f.Links) == 0 {
		return f.Text
	}
	return f.AppendTo(make([]byte, 0, f.Size(dir)), dir)
}

// modelAndThinking reads a context's model and thinking level.
func modelAndThinking(v *store.View, ctx tree.Context) (mdl, level model.Value, err error) {
	var bodies [2]*model.Entry
	for n, i := range []int{ctx.ModelAt, ctx.ThinkingAt} {
		if i == tree.None {
			continue
		}
		e, err := v.Entry(i)
		if err != nil {
			return nil, nil, err
		}
		bodies[n] = &e
	}
	mdl, level = tree.ModelAndThinking(bodies[0], bodies[1])
	return mdl, level, nil
}

// contextJSON is the context.json of entry at, a message a line.
func (s *session) contextJSON(v *store.View, at uint32) (*composite, error) {
	ctx := v.Tree.Context(int(at))
	lens, err := s.messages.measure(v, ctx.Steps)
	if err != nil {
		return nil, err
	}
	steps := ctx.Steps[:0:0]
	var sizes []int64
	for n, step := range ctx.Steps {
		older := n > 0 && v.Tree.Kind(int(step.Entry)) == model.KindCompaction
		if lens[n].inContext && !older {
			if len(steps) > 0 {
				sizes = append(sizes, int64(len(messageSeparator)))
			}
			steps = append(steps, step)
			sizes = append(sizes, lens[n].text)
		}
	}
	mdl, level, err := modelAndThinking(v, ctx)
	if err != nil {
		return nil, err
	}
	head, tail := render.ContextJSONHead(nil, level, mdl), render.ContextJSONTail(nil)
	source := pieceReader{p: &s.messages, v: v, steps: steps}
	return newComposite(head, tail, sizes, source, func(r *pieceReader, i int) ([]byte, error) {
		if i%2 == 1 {
			return []byte(messageSeparator), nil
		}
		f, err := r.read(i / 2)
		return f.Text, err
	}), nil
}

// messageSeparator stands between two messages of a context.json.
const messageSeparator = ",\n"
