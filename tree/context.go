package tree

import "github.com/pifs/pifs/model"

// A Context tells which entries make up what the model sees at an entry.
type Context struct {
	// Steps are pi's context entries in order: the last compaction of the path
	// first, if there is one, then what it kept, then what follows it. Entries
	// that give no message are among them.
	Steps []Step

	// Compaction is the last compaction of the path, ModelAt the entry that sets
	// the model (a model_change or an assistant message), ThinkingAt the one
	// that sets the thinking level. None where there is none.
	Compaction, ModelAt, ThinkingAt int
}

// A Step is an entry of a context and the context_edit that changes it, None if
// there is none.
type Step struct {
	Entry, Edit int32
}

// Context returns the context at entry i, of None an empty one.
func (t *Tree) Context(i int) Context { panic("todo") }

// Messages returns what the entry at step number n of a context adds to the
// model's messages, as pi's buildSessionContext gives them: n matters only in that
// a compaction gives its summary (and system message and retained tail) at 0 and
// nothing elsewhere. edit is the context_edit of the step, nil if it has none.
func Messages(e model.Entry, n int, edit *model.Entry) []model.Value { panic("todo") }

// ModelAndThinking returns the model and thinkingLevel of a context from the
// bodies of its ModelAt and ThinkingAt entries (nil if None), as JSON: model is
// null if there is none, the level "off".
func ModelAndThinking(modelAt, thinkingAt *model.Entry) (mdl, thinkingLevel model.Value) {
	panic("todo")
}

// ToLLM returns m as pi's convertToLlm hands it to a model, nil if it is left out.
func ToLLM(m model.Value) model.Value { panic("todo") }

// BuildSessionContext is pi's function of that name on decoded entries: the
// messages, thinking level and model at leafID as one JSON object.
func BuildSessionContext(entries []model.Entry, leafID string) model.Value { panic("todo") }
