package writeback

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// ContextEntries returns the entries that make up the model's context at the leaf:
// pi's buildContextEntries.
func (s *Session) ContextEntries() []model.Entry {
	steps := s.tree.Context(s.leaf).Steps
	entries := make([]int32, len(steps))
	for n, step := range steps {
		entries[n] = step.Entry
	}
	return s.decoded(entries)
}

// A Projection is the model's context at the leaf, and where it comes from.
type Projection struct {
	Entries       []ProjectedEntry
	ThinkingLevel model.Value // "off" if nothing sets it
	Model         model.Value // {"provider":…,"modelId":…} or null
}

// A ProjectedEntry is an entry of a context and the messages that it gives there,
// after edits.
type ProjectedEntry struct {
	Source   model.Entry
	Messages []model.Value
}

// Projection returns the context with its provenance: pi's buildSessionProjection.
func (s *Session) Projection() Projection {
	c := s.tree.Context(s.leaf)
	p := Projection{Entries: make([]ProjectedEntry, len(c.Steps))}
	for n, step := range c.Steps {
		p.Entries[n] = ProjectedEntry{model.DecodeEntry(s.entries[step.Entry]), s.messages(n, step)}
	}
	p.Model, p.ThinkingLevel = tree.ModelAndThinking(s.optional(c.ModelAt), s.optional(c.ThinkingAt))
	return p
}

// Context returns the context as one JSON object with the members messages,
// thinkingLevel and model: pi's buildSessionContext.
func (s *Session) Context() model.Value {
	p := s.Projection()
	messages := []byte{'['}
	for _, e := range p.Entries {
		for _, m := range e.Messages {
			if len(messages) > 1 {
				messages = append(messages, ',')
			}
			messages = append(messages, m...)
		}
	}
	return new(model.Builder).
		Value("messages", append(messages, ']')).
		Value("thinkingLevel", p.ThinkingLevel).
		Value("model", p.Model).
		Object()
}

// messages returns what step n of a context gives.
func (s *Session) messages(n int, step tree.Step) []model.Value {
	e := model.DecodeEntry(s.entries[step.Entry])
	if step.Edit == tree.None {
		return tree.Messages(e, n, nil)
	}
	edit := model.DecodeEntry(s.entries[step.Edit])
	return tree.Messages(e, n, &edit)
}
