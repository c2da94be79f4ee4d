package fs

import (
	"bytes"

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
	return f.s.key(kind, plainStep(int32(f.at)))
}

// size adds up the parts, without putting the file together: where there are many
// branches the files of all of them are asked for their lengths at once.
func (f contextFile) size() (int64, error) {
	if c, ok := f.peek(); ok {
		return c.size(), nil
	}
	v, err := f.s.entry(f.at)
	if err != nil {
		return 0, err
	}
	parts, bytes := 0, int64(0)
	head, tail, err := f.outline(v, func(_ tree.Step, partBytes int64) {
		parts++
		bytes += partBytes
	})
	if f.kind == kindContextJSON {
		bytes += int64(max(0, parts-1) * len(messageSeparator))
	}
	return int64(len(head)+len(tail)) + bytes, err
}

// composite puts the context together.
func (f contextFile) composite() (*composite, error) {
	v, err := f.s.entry(f.at)
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(), func() (*composite, int64, error) {
		assemble := f.contextText
		if f.kind == kindContextJSON {
			assemble = f.contextJSON
		}
		c, err := assemble(v)
		if err != nil {
			return nil, 0, err
		}
		return c, c.cost() + 8*int64(len(c.ends)), nil
	})
}

// outline calls part with the steps of which something stands in the file, in order, and
// how much that is. It returns what stands before and after all of them.
func (f contextFile) outline(v *store.View, part func(step tree.Step, bytes int64)) (head, tail []byte, err error) {
	ctx := v.Tree.Context(int(f.at))
	p := &f.s.fragments
	if f.kind == kindContextJSON {
		p = &f.s.messages
	}
	if err := p.measure(v, ctx.Steps); err != nil {
		return nil, nil, err
	}
	parts := 0
	p.each(ctx.Steps, func(n int, z pieceSize) {
		step := ctx.Steps[n]
		older := n > 0 && v.Tree.Kind(int(step.Entry)) == model.KindCompaction
		if z.inContext && !older {
			parts++
			part(step, z.in(imagesFromBranch))
		}
	})
	is, err := f.s.modelAndThinking(v, ctx)
	if err != nil {
		return nil, nil, err
	}
	if f.kind == kindContextJSON {
		return render.ContextJSONHead(nil, is.thinking, is.model), render.ContextJSONTail(nil), nil
	}
	h := render.ContextHead{
		Session:       v.Header.ID.Text(),
		Leaf:          v.Tree.ID(int(f.at)),
		Model:         is.model,
		ThinkingLevel: is.thinking,
		Messages:      parts,
		Created:       created(v),
		Updated:       timeOf(v, int(f.at)),
	}
	if ctx.Compaction != tree.None {
		more, err := moreMessages(v, ctx.Compaction)
		if err != nil {
			return nil, nil, err
		}
		h.Messages += more
	}
	return h.Append(nil), nil, nil
}

// contextText is the context.md: a front matter, then the fragments of the entries of
// which the model is sent something.
func (f contextFile) contextText(v *store.View) (*composite, error) {
	var steps []tree.Step
	var sizes []int64
	head, tail, err := f.outline(v, func(step tree.Step, bytes int64) {
		steps, sizes = append(steps, step), append(sizes, bytes)
	})
	if err != nil {
		return nil, err
	}
	source := pieceReader{p: &f.s.fragments, v: v, steps: steps}
	return newComposite(head, tail, sizes, source, func(r *pieceReader, i int) ([]byte, error) {
		f, err := r.read(i)
		return textIn(f, imagesFromBranch), err
	}), nil
}

// messageSeparator stands between two messages of a context.json.
const messageSeparator = ",\n"

// contextJSON is the context.json, a message a line.
func (f contextFile) contextJSON(v *store.View) (*composite, error) {
	var steps []tree.Step
	var sizes []int64
	head, tail, err := f.outline(v, func(step tree.Step, bytes int64) {
		if len(steps) > 0 {
			sizes = append(sizes, int64(len(messageSeparator)))
		}
		steps, sizes = append(steps, step), append(sizes, bytes)
	})
	if err != nil {
		return nil, err
	}
	source := pieceReader{p: &f.s.messages, v: v, steps: steps}
	return newComposite(head, tail, sizes, source, func(r *pieceReader, i int) ([]byte, error) {
		if i%2 == 1 {
			return []byte(messageSeparator), nil
		}
		f, err := r.read(i / 2)
		return f.Text, err
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

// A setting is the model and the thinking level of a context.
type setting struct{ model, thinking model.Value }

// modelAndThinking reads a context's setting.
func (s *session) modelAndThinking(v *store.View, ctx tree.Context) (setting, error) {
	key := s.key(cachedSetting, tree.Step{Entry: int32(ctx.ModelAt), Edit: int32(ctx.ThinkingAt)})
	return cached(s, key, func() (setting, int64, error) {
		var bodies [2]*model.Entry
		for n, i := range []int{ctx.ModelAt, ctx.ThinkingAt} {
			if i == tree.None {
				continue
			}
			e, err := v.Entry(i)
			if err != nil {
				return setting{}, 0, err
			}
			bodies[n] = &e
		}
		mdl, level := tree.ModelAndThinking(bodies[0], bodies[1])
		is := setting{bytes.Clone(mdl), bytes.Clone(level)} // no more of the lines
		return is, int64(len(mdl) + len(level)), nil
	})
}
