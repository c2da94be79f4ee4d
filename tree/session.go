package tree

import "github.com/pifs/pifs/model"

// BuildSessionContext is pi's function of that name on decoded entries (without
// the header, version 3): the messages, thinking level and model at leafID as one
// JSON object. As in pi, a leafID that is empty or not there stands for the
// current leaf.
//
// It is a convenience: who asks more than once builds a [Tree] and uses
// [Tree.Context], [Messages] and [ModelAndThinking].
func BuildSessionContext(entries []model.Entry, leafID string) model.Value {
	var b Builder
	for i, e := range entries {
		fields, _ := model.Scan(e.Raw)
		b.Add(i+firstLine, fields)
	}
	t := b.Tree()
	leaf, found := t.Lookup(leafID)
	if leafID == "" || !found {
		leaf = t.Leaf()
	}
	ctx := t.Context(leaf)

	messages := model.Value{'['}
	for n, step := range ctx.Steps {
		for _, message := range Messages(entries[step.Entry], n, entryAt(entries, int(step.Edit))) {
			if len(messages) > 1 {
				messages = append(messages, ',')
			}
			messages = append(messages, message...)
		}
	}
	mdl, level := ModelAndThinking(entryAt(entries, ctx.ModelAt), entryAt(entries, ctx.ThinkingAt))
	return new(model.Builder).
		Value("messages", append(messages, ']')).
		Value("thinkingLevel", level).
		Value("model", mdl).
		Object()
}

func entryAt(entries []model.Entry, i int) *model.Entry {
	if i == None {
		return nil
	}
	return &entries[i]
}
