package render

import (
	"slices"

	"github.com/pifs/pifs/model"
)

// entry writes an entry that is no message.
func (p *page) entry(e *model.Entry, at Place) {
	word := e.Type
	if word == "" {
		word = "entry"
	}
	p.heading(word, at.ID, at.Time)
	switch e.Kind {
	case model.KindCustomMessage:
		p.customMessage(e, at)
		return
	case model.KindCompaction:
		p.compaction(e, at)
		return
	case model.KindCustom:
		p.partOf(e.CustomType)
	}
	if e.Kind != model.KindBranchSummary || !e.Summary.Truthy() {
		p.part(noMessage)
	}
	p.endHeading(at)
	switch e.Kind {
	case model.KindBranchSummary:
		p.summary(e.Summary, e.FromID, nil)
		p.fileLists(e.Details)
	case model.KindCustom:
		if e.Data != nil {
			p.json(e.Data)
		}
	case model.KindModelChange:
		p.field("provider", e.Provider)
		p.field("modelId", e.ModelID)
	case model.KindThinkingLevelChange:
		p.field("thinkingLevel", e.ThinkingLevel)
	case model.KindLabel:
		p.named("label", e.Label)
		p.buf = append(p.buf, " on "...)
		p.target(e.TargetID, "nothing")
	case model.KindSessionInfo:
		p.named("name", e.Name)
		p.endLine()
	case model.KindLeaf:
		p.buf = append(p.buf, "leaf: "...)
		p.target(e.TargetID, "before the first entry")
	case model.KindContextEdit:
		p.contextEdit(e)
	case model.KindUsage:
		p.usage(e)
	case model.KindActiveToolsChange:
		p.field("activeToolNames", e.ActiveToolNames)
	default:
		p.json(e.Raw)
	}
}

// named writes what is set to a name, or that it is cleared.
func (p *page) named(what string, name model.Value) {
	p.buf = append(p.buf, what...)
	if !name.Truthy() {
		p.buf = append(p.buf, " cleared"...)
		return
	}
	p.buf = append(p.buf, ` "`...)
	p.buf = append(appendPlain(p.buf, name), '"')
}

// target writes the id of an entry that another points at.
func (p *page) target(id model.Value, none string) {
	if isNothing(id) {
		p.line(none)
		return
	}
	p.buf = append(appendPlain(p.buf, id), '\n')
}

func (p *page) customMessage(e *model.Entry, at Place) {
	p.partOf(e.CustomType)
	if e.Display.Kind() == model.Bool && !e.Display.Truthy() {
		p.remarks = append(p.remarks, "not displayed by pi")
	}
	content, edited := p.edited("custom")
	if !edited {
		content = e.Content
	}
	p.endHeading(at)
	p.contentOf(content)
}

// compaction writes a compaction, and the messages that it holds below it, each
// with a heading that bears the compaction's id.
func (p *page) compaction(e *model.Entry, at Place) {
	p.endHeading(at)
	switch {
	case e.RetainedTail.Truthy():
		p.line("compacted: all before; the messages kept stand below")
	case e.FirstKeptEntryID.Truthy():
		p.buf = append(p.buf, "compacted: all before "...)
		p.target(e.FirstKeptEntryID, "")
	default:
		p.line("compacted: all before")
	}
	p.field("tokensBefore", e.TokensBefore)
	p.summary(e.Summary, nil, nil)
	p.fileLists(e.Details)
	if e.SystemMessage.Truthy() {
		p.heldMessage(e.SystemMessage, at)
	}
	for message := range e.RetainedTail.Elements() {
		p.heldMessage(message, at)
	}
}

// heldMessage writes a message that the entry at the given place holds.
func (p *page) heldMessage(v model.Value, at Place) {
	if timestamp := v.Get("timestamp"); timestamp != nil {
		at.Time = model.ParseTime(timestamp)
	}
	p.message(v, Place{ID: at.ID, Time: at.Time})
}

// fileLists writes which files pi notes in the details of a summary.
func (p *page) fileLists(details model.Value) {
	p.gap()
	for path := range details.Get("readFiles").Elements() {
		p.field("read", path)
	}
	for path := range details.Get("modifiedFiles").Elements() {
		p.field("modified", path)
	}
}

// contentOf writes a content that is not a message's.
func (p *page) contentOf(content model.Value) {
	clear(p.blocks)
	p.blocks = slices.AppendSeq(p.blocks[:0], model.Blocks(content))
	p.content(p.blocks)
}

func (p *page) contextEdit(e *model.Entry) {
	p.buf = append(p.buf, "edits: "...)
	p.target(e.TargetID, "nothing")
	switch e.Replacement.Kind() {
	case model.Null:
		p.line("replacement: null (dropped from the context)")
	case model.Object:
		p.line("replacement:")
		p.contentOf(e.Replacement.Get("content"))
	default:
		p.field("replacement", e.Replacement)
	}
}

func (p *page) usage(e *model.Entry) {
	p.field("kind", e.UsageKind)
	p.field("provider", e.Provider)
	p.field("model", e.Model)
	p.field("usage", e.Usage)
	p.field("note", e.Note)
}
