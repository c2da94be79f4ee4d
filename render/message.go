package render

import (
	"cmp"
	"slices"

	"github.com/pifs/pifs/model"
)

// message writes the message v with a heading of its own.
func (p *page) message(v model.Value, at Place) {
	clear(p.blocks)
	m, blocks := model.DecodeMessageBlocks(v, p.blocks[:0])
	if content, edited := p.edited(m.Role); edited {
		m.Content = content
		blocks = slices.AppendSeq(blocks[:0], model.Blocks(content))
	}
	m.Raw, p.blocks = v, blocks
	p.heading(cmp.Or(m.Role, "message"), at.ID, at.Time)
	switch m.Role {
	case "assistant":
		p.assistant(&m, at)
	case "toolResult":
		p.toolResult(&m, at)
	case "bashExecution":
		p.bashExecution(&m, at)
	case "branchSummary", "compactionSummary":
		p.endHeading(at)
		p.summary(m.Summary, m.FromID, m.TokensBefore)
	case "user":
		p.endHeading(at)
		p.content(p.blocks)
	case "custom":
		p.partOf(m.CustomType)
		p.endHeading(at)
		p.content(p.blocks)
	case "system":
		p.endHeading(at)
		p.content(p.blocks)
		p.gap()
		p.field("sections", m.Sections)
		p.field("toolsAdded", m.ToolsAdded)
		p.field("toolsRemoved", m.ToolsRemoved)
	default:
		p.unknownMessage(&m, at)
	}
}

// endHeading ends the heading, and says below it what there is to say.
func (p *page) endHeading(at Place) {
	if at.Parent != "" {
		p.part("↳ " + at.Parent)
	}
	p.buf = append(p.buf, '\n')
	for _, remark := range p.remarks {
		p.note(remark)
	}
	p.remarks = p.remarks[:0]
	p.gap()
}

// note writes a remark of ours.
func (p *page) note(text string) {
	if text != "" {
		p.gap()
		p.buf = appendLine(append(p.buf, "note: "...), text)
		p.endLine()
	}
}

// content writes the blocks of a message's content.
func (p *page) content(blocks []model.Block) {
	afterText := false
	for i := range blocks {
		b := &blocks[i]
		isText := b.Type == "text" && b.Text.Kind() == model.String
		if isText && afterText {
			p.separate(b.Text)
		}
		p.block(b)
		afterText = isText
	}
}

// separate keeps the text next, if it is indented, out of a list that the text
// before it may have left open.
func (p *page) separate(next model.Value) {
	if text := appendString(p.spare[:0], next); len(text) > 0 && text[0] <= ' ' {
		p.gap()
		p.line("<!-- -->")
	}
}

func (p *page) block(b *model.Block) {
	switch {
	case b.Type == "text" && b.Text.Kind() == model.String:
		p.text(b.Text)
	case b.Type == "image":
		p.image(b)
	case b.Type == "thinking" && b.Redacted.Truthy():
		p.gap()
		p.line("> (thinking redacted)")
	case b.Type == "thinking" && b.Thinking.Kind() == model.String:
		p.quote(b.Thinking)
	case b.Type == "toolCall":
		p.toolCall(b)
	default:
		p.json(b.Raw)
	}
}

// toolCall writes a call and its arguments, a line each.
func (p *page) toolCall(b *model.Block) {
	p.gap()
	p.buf = append(p.buf, "### "...)
	p.buf = appendPlain(p.buf, b.Name)
	p.buf = append(p.buf, separator...)
	p.buf = appendPlain(p.buf, b.ID)
	p.buf = append(p.buf, "\n\n"...)
	p.arguments(b.Arguments)
}

// summary writes the text of a compaction or branch summary and where it is from.
func (p *page) summary(text, from, tokens model.Value) {
	p.gap()
	p.field("from", from)
	p.field("tokensBefore", tokens)
	if text.Kind() == model.String {
		p.text(text)
	} else {
		p.field("summary", text)
	}
}
