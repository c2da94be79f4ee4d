package tree

import (
	"math"

	"github.com/pifs/pifs/model"
)

// Messages returns what the entry at step number n of a context adds to the
// model's messages, as pi's buildSessionContext gives them: n matters only in that
// a compaction gives its summary (and system message and retained tail) at 0 and
// nothing elsewhere. edit is the context_edit of the step, nil if it has none.
//
// Messages that nothing changes are the stored bytes. Where pi throws, a message
// that is missing or null gives nothing and an edit without a replacement
// changes nothing.
func Messages(e model.Entry, n int, edit *model.Entry) []model.Value {
	if e.Kind == model.KindCompaction && n > 0 {
		return nil
	}
	messages := entryMessages(e)
	if edit == nil || edit.Replacement == nil {
		return messages
	}
	if edit.Replacement.Kind() == model.Null {
		return nil
	}
	for at, message := range messages {
		messages[at] = replaceContent(message, edit.Replacement.Get("content"))
	}
	return messages
}

// entryMessages is pi's sessionEntryToContextMessages.
func entryMessages(e model.Entry) []model.Value {
	switch {
	case e.Kind.IsMessage():
		return storedMessage(e)
	case e.Kind == model.KindCustomMessage:
		return []model.Value{customMessage(e)}
	case e.Kind == model.KindBranchSummary && e.Summary.Truthy():
		return []model.Value{new(model.Builder).
			Text("role", "branchSummary").
			Value("summary", e.Summary).
			Value("fromId", e.FromID).
			Float("timestamp", milliseconds(e.Timestamp)).
			Object()}
	case e.Kind == model.KindCompaction:
		return compactionMessages(e)
	}
	return nil
}

// storedMessage returns the message of a message entry, with an empty content
// where a role that pi knows has none: old versions, forks and editing by hand
// leave such messages.
func storedMessage(e model.Entry) []model.Value {
	if isNullish(e.Message) {
		return nil
	}
	message := e.Message
	switch e.Kind {
	case model.KindSystem:
		message = withContent(message, `""`)
	case model.KindUser, model.KindAssistant, model.KindToolResult:
		message = withContent(message, "[]")
	}
	return []model.Value{message}
}

func withContent(message model.Value, empty string) model.Value {
	if isNullish(message.Get("content")) {
		return message.With("content", model.Value(empty))
	}
	return message
}

func customMessage(e model.Entry) model.Value {
	content := e.Content
	if isNullish(content) {
		content = model.Value("[]")
	}
	return new(model.Builder).
		Text("role", "custom").
		Value("customType", e.CustomType).
		Value("content", content).
		Value("display", e.Display).
		Value("details", e.Details).
		Float("timestamp", milliseconds(e.Timestamp)).
		Object()
}

func compactionMessages(e model.Entry) []model.Value {
	var messages []model.Value
	if e.SystemMessage.Truthy() {
		messages = append(messages, e.SystemMessage)
	}
	messages = append(messages, new(model.Builder).
		Text("role", "compactionSummary").
		Value("summary", e.Summary).
		Value("tokensBefore", e.TokensBefore).
		Float("timestamp", milliseconds(e.Timestamp)).
		Object())
	for message := range e.RetainedTail.Elements() {
		messages = append(messages, message)
	}
	return messages
}

// replaceContent is what pi's projectContextEntry does to a message. A nil
// content takes the message's away.
func replaceContent(message, content model.Value) model.Value {
	switch message.Get("role").Text() {
	case "assistant", "toolResult":
		if content.Kind() == model.String {
			content = textBlock(content)
		}
	case "user", "custom":
	default:
		return message
	}
	return message.With("content", content)
}

// textBlock returns a content of one text block. text is a JSON string.
func textBlock(text model.Value) model.Value {
	block := new(model.Builder).Text("type", "text").Value("text", text).Object()
	return append(append(model.Value{'['}, block...), ']')
}

// ModelAndThinking returns the model and thinkingLevel of a context from the
// bodies of its ModelAt and ThinkingAt entries (nil if None), as JSON: model is
// null if there is none, the level "off". The level is nil if its entry has none.
func ModelAndThinking(modelAt, thinkingAt *model.Entry) (mdl, thinkingLevel model.Value) {
	mdl, thinkingLevel = model.Value("null"), model.Value(`"off"`)
	if modelAt != nil {
		provider, id := modelAt.Provider, modelAt.ModelID
		if modelAt.Kind.IsMessage() {
			provider, id = modelAt.Message.Get("provider"), modelAt.Message.Get("model")
		}
		mdl = new(model.Builder).Value("provider", provider).Value("modelId", id).Object()
	}
	if thinkingAt != nil {
		thinkingLevel = thinkingAt.ThinkingLevel
	}
	return mdl, thinkingLevel
}

func isNullish(v model.Value) bool {
	kind := v.Kind()
	return kind == model.Undefined || kind == model.Null
}

// milliseconds is new Date(timestamp).getTime().
func milliseconds(timestamp model.Value) float64 {
	if ms := model.ParseTime(timestamp); ms != model.NoTime {
		return float64(ms)
	}
	return math.NaN()
}
