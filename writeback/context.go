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
		e := model.DecodeEntry(s.entries[step.Entry])
		p.Entries[n] = ProjectedEntry{e, s.messages(e, n, step.Edit)}
	}
	p.Model, p.ThinkingLevel = tree.ModelAndThinking(s.optional(c.ModelAt), s.optional(c.ThinkingAt))
	return p
}

// Context returns the context as one JSON object with the members messages,
// thinkingLevel and model: pi's buildSessionContext.
func (s *Session) Context() model.Value {
	p := s.Projection()
	size := 2
	for _, e := range p.Entries {
		for _, m := range e.Messages {
			size += len(m) + 1
		}
	}
	messages := append(make([]byte, 0, size), '[')
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

// messages returns what the entry e gives as step n of a context, with an edit or
// tree.None.
func (s *Session) messages(e model.Entry, n int, edit int32) []model.Value {
	return tree.Messages(e, n, s.optional(int(edit)))
}
