package render

import (
	"bytes"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
)

// Summary is the start of an entry's text on one line, at most n characters: what
// tree.txt shows of it.
func Summary(e model.Entry, n int) string {
	s := summary{room: n}
	if e.Kind.IsMessage() {
		s.message(e.Message)
	} else {
		s.entry(&e)
	}
	return s.String()
}

// summary collects the beginning of an entry's text.
type summary struct {
	buf  []byte
	room int // characters
}

// String returns what was collected on one line, runs of white space as one
// space.
func (s *summary) String() string {
	words := bytes.Fields(s.buf)
	return cut(Line(string(bytes.Join(words, []byte(" ")))), s.room)
}

// cut returns at most n characters of a line, the last of them … if there are more.
func cut(line string, n int) string {
	switch {
	case utf8.RuneCountInString(line) <= n:
		return line
	case n <= 0:
		return ""
	}
	end := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	return line[:end] + "…"
}

// full tells that more would not be shown.
func (s *summary) full() bool { return len(bytes.TrimSpace(s.buf)) > utf8.UTFMax*s.room }

func (s *summary) add(text string) { s.buf = append(s.buf, text...) }

// addValue adds the beginning of the text of v, or of its JSON if it is no
// string, however long it is.
func (s *summary) addValue(v model.Value) {
	limit := 12*max(s.room, 1) + 1024 // \ud83d\ude00 is one character, and text may begin with white space.
	if v.Kind() == model.String {
		text := inside(v)
		s.buf = appendClean(s.buf, text[:min(len(text), limit)], true)
		return
	}
	if v.Kind() > model.Null {
		s.buf = appendClean(s.buf, v[:min(len(v), limit)], false)
	}
}

// addNamed adds `name value`.
func (s *summary) addNamed(name string, v model.Value) {
	if v.Kind() > model.Null {
		s.add(name + " ")
		s.addValue(v)
		s.add(" ")
	}
}

func (s *summary) message(v model.Value) {
	m := model.DecodeMessage(v)
	switch m.Role {
	case "user", "custom", "system":
		s.content(m.Content)
	case "assistant":
		s.content(m.Content)
		if !isUsual(m.StopReason) {
			s.addNamed(" stopReason", m.StopReason)
			s.addValue(m.ErrorMessage)
		}
	case "toolResult":
		s.addValue(m.ToolName)
		if m.IsError.Truthy() {
			s.add(" error")
		}
		s.add(": ")
		s.content(m.Content)
	case "bashExecution":
		if m.ExcludeFromContext.Truthy() {
			s.add("(excluded) ")
		}
		s.addValue(m.Command)
	case "branchSummary", "compactionSummary":
		s.addValue(m.Summary)
	default:
		s.add("(" + noMessage + ") ")
		s.addValue(v)
	}
}

// content adds the texts of a message, or else what it has.
func (s *summary) content(content model.Value) {
	start := len(s.buf)
	for b := range model.Blocks(content) {
		if s.full() {
			return
		}
		switch {
		case b.Type == "text":
			s.addValue(b.Text)
			s.add(" ")
		case b.Type == "image":
			s.add("(image) ")
		}
	}
	if len(bytes.TrimSpace(s.buf[start:])) > 0 {
		return
	}
	between := ""
	for b := range model.Blocks(content) {
		if b.Type == "toolCall" && !s.full() {
			s.add(between)
			s.call(b)
			between = "; "
		}
	}
}

// call adds a tool's name and the first argument, which tells most.
func (s *summary) call(b model.Block) {
	s.addValue(b.Name)
	for _, argument := range b.Arguments.Members() {
		s.add(" ")
		s.addValue(argument)
		break
	}
}

func (s *summary) entry(e *model.Entry) {
	switch e.Kind {
	case model.KindCustomMessage:
		s.content(e.Content)
	case model.KindCompaction:
		s.addNamed("all before", e.FirstKeptEntryID)
		s.addNamed("tokensBefore", e.TokensBefore)
		s.addValue(e.Summary)
	case model.KindBranchSummary:
		s.addNamed("from", e.FromID)
		s.addValue(e.Summary)
	case model.KindCustom:
		s.addValue(e.CustomType)
		s.add(" ")
		s.addValue(e.Data)
	case model.KindModelChange:
		s.add(modelName(plain(e.Provider), plain(e.ModelID)))
	case model.KindThinkingLevelChange:
		s.addValue(e.ThinkingLevel)
	case model.KindLabel:
		s.named(e.Label)
		s.addNamed(" on", e.TargetID)
	case model.KindSessionInfo:
		s.named(e.Name)
	case model.KindLeaf:
		s.addNamed("at", e.TargetID)
	case model.KindContextEdit:
		s.contextEdit(e)
	case model.KindUsage:
		s.addValue(e.UsageKind)
		s.add(" " + modelName(plain(e.Provider), plain(e.Model)))
	case model.KindActiveToolsChange:
		s.addValue(e.ActiveToolNames)
	default:
		s.add("(" + noMessage + ") ")
		s.addValue(e.Raw)
	}
}

// named adds a name that is set, or that it is cleared.
func (s *summary) named(name model.Value) {
	if !name.Truthy() {
		s.add("cleared")
		return
	}
	s.add(`"`)
	s.addValue(name)
	s.add(`"`)
}

func (s *summary) contextEdit(e *model.Entry) {
	s.addValue(e.TargetID)
	if e.Replacement.Kind() == model.Null {
		s.add(" dropped")
		return
	}
	s.add(" replaced: ")
	s.content(e.Replacement.Get("content"))
}
