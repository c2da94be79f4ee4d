package writeback

import (
	"slices"
	"strings"

	"github.com/pifs/pifs/model"
)

// systemMessage returns the system message that a compaction at the leaf keeps,
// dated timeMS, or nil if the context has none. It is what all system messages of
// the context amount to: pi's getCurrentSystemMessage.
func (s *Session) systemMessage(timeMS int64) model.Value {
	var r replay
	for n, step := range s.tree.Context(s.leaf).Steps {
		kind := s.tree.Kind(int(step.Entry))
		if kind != model.KindSystem && !(kind == model.KindCompaction && n == 0) {
			continue
		}
		e := model.DecodeEntry(s.entries[step.Entry])
		for _, v := range s.messages(e, n, step.Edit) {
			if m := model.DecodeMessage(v); m.Role == "system" {
				r.add(m)
			}
		}
	}
	return r.message(timeMS)
}

// A replay takes system messages in order. The base prompt grows, sections are
// replaced by name, and tools come and go.
type replay struct {
	found    bool
	content  []string
	sections members
	tools    members
}

func (r *replay) add(m model.Message) {
	r.found = r.found || m.Timestamp != nil
	if text := blocksText(m.Content, "\n"); text != "" {
		r.content = append(r.content, text)
	}
	for name, value := range m.Sections.Members() {
		if value.Kind() == model.Null {
			r.sections.remove(name.Text())
		} else {
			r.sections.set(name.Text(), value)
		}
	}
	for tool := range m.ToolsRemoved.Elements() {
		r.tools.remove(tool.Get("name").Text())
	}
	for tool := range m.ToolsAdded.Elements() {
		r.tools.set(tool.Get("name").Text(), tool)
	}
}

func (r *replay) message(timeMS int64) model.Value {
	if !r.found && len(r.tools) == 0 {
		return nil
	}
	b := new(model.Builder).Text("role", "system").Text("content", strings.Join(r.content, "\n\n"))
	if len(r.sections) > 0 {
		sections := new(model.Builder)
		for _, m := range r.sections {
			sections.Value(m.name, m.value.AppendCompact(nil))
		}
		b.Value("sections", sections.Object())
	}
	if len(r.tools) > 0 {
		tools := []byte{'['}
		for i, m := range r.tools {
			if i > 0 {
				tools = append(tools, ',')
			}
			tools = m.value.AppendCompact(tools)
		}
		b.Value("toolsAdded", append(tools, ']'))
	}
	return b.Float("timestamp", float64(timeMS)).Object()
}

// blocksText returns the text of a content, its text blocks with separator between.
func blocksText(content model.Value, separator string) string {
	var texts []string
	for b := range model.Blocks(content) {
		if b.Type == "text" {
			texts = append(texts, b.Text.Text())
		}
	}
	return strings.Join(texts, separator)
}

// members is a JavaScript Map: one that is set again keeps its place.
type members []member

type member struct {
	name  string
	value model.Value
}

func (m *members) set(name string, value model.Value) {
	if i := m.index(name); i >= 0 {
		(*m)[i].value = value
		return
	}
	*m = append(*m, member{name, value})
}

func (m *members) remove(name string) {
	if i := m.index(name); i >= 0 {
		*m = slices.Delete(*m, i, i+1)
	}
}

func (m members) index(name string) int {
	return slices.IndexFunc(m, func(m member) bool { return m.name == name })
}
