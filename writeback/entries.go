package writeback

import (
	"fmt"

	"github.com/pifs/pifs/model"
)

// AppendMessage appends a message, an object, and returns the new entry's id.
func (s *Session) AppendMessage(message model.Value) (id string, err error) {
	message, err = checked(message)
	if err != nil {
		return "", err
	}
	if message.Kind() != model.Object {
		return "", fmt.Errorf("%w object: %.40q", ErrNotJSON, message)
	}
	p := s.next()
	return s.append(p, p.start("message").Value("message", message))
}

// AppendThinkingLevelChange appends a change of the thinking level.
func (s *Session) AppendThinkingLevelChange(level string) (id string, err error) {
	p := s.next()
	return s.append(p, p.start("thinking_level_change").Text("thinkingLevel", level))
}

// AppendModelChange appends a change of the model.
func (s *Session) AppendModelChange(provider, modelID string) (id string, err error) {
	p := s.next()
	return s.append(p, p.start("model_change").Text("provider", provider).Text("modelId", modelID))
}

// AppendUsage appends what a call of a model took that is no part of the
// conversation. The note may be empty.
func (s *Session) AppendUsage(kind, provider, mdl string, usage model.Value, note string) (id string, err error) {
	usage, err = checked(usage)
	if err != nil {
		return "", err
	}
	p := s.next()
	b := p.start("usage").Text("kind", kind).Text("provider", provider).Text("model", mdl).Value("usage", usage)
	if note != "" {
		b.Text("note", note)
	}
	return s.append(p, b)
}

// AppendCustomEntry appends an extension's state, which no model sees.
func (s *Session) AppendCustomEntry(customType string, data model.Value) (id string, err error) {
	data, err = checked(data)
	if err != nil {
		return "", err
	}
	p := s.next()
	b := new(model.Builder).Text("type", "custom").Text("customType", customType).Value("data", data)
	return s.append(p, p.end(b))
}

// AppendCustomMessage appends an extension's message to the model: pi's
// appendCustomMessageEntry. The content is a string or an array of blocks; display
// tells whether pi shows it.
func (s *Session) AppendCustomMessage(customType string, content model.Value, display bool, details model.Value) (id string, err error) {
	if content, err = checked(content); err != nil {
		return "", err
	}
	if details, err = checked(details); err != nil {
		return "", err
	}
	p := s.next()
	b := new(model.Builder).Text("type", "custom_message").Text("customType", customType).
		Value("content", content).Bool("display", display).Value("details", details)
	return s.append(p, p.end(b))
}

// AppendSessionInfo names the session, with line breaks turned into spaces and
// the ends trimmed; "" clears the name.
func (s *Session) AppendSessionInfo(name string) (id string, err error) {
	p := s.next()
	return s.append(p, p.start("session_info").Text("name", model.Trim(joinLines(name))))
}

// AppendLabelChange labels an entry; "" clears its label. ErrUnknownEntry if there
// is no such entry.
func (s *Session) AppendLabelChange(targetID, label string) (id string, err error) {
	i, err := s.find(targetID)
	if err != nil {
		return "", err
	}
	p := s.next()
	b := p.start("label").Value("targetId", s.idOf(i))
	if label != "" {
		b.Text("label", label)
	}
	return s.append(p, b)
}

// append adds the entry b at the place p and returns its id.
func (s *Session) append(p place, b *model.Builder) (id string, err error) {
	if err := s.add(b.Object()); err != nil {
		return "", err
	}
	return p.id, nil
}
