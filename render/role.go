package render

import "github.com/pifs/pifs/model"

func (p *page) assistant(m *model.Message, at Place) {
	p.partOf(m.Provider)
	if !isNothing(m.Provider) && !isNothing(m.Model) {
		p.buf = appendPlain(append(p.buf, '/'), m.Model)
	} else {
		p.partOf(m.Model)
	}
	usual := isUsual(m.StopReason)
	if !usual {
		p.partOf(m.StopReason)
	}
	p.endHeading(at)
	p.content(p.blocks)
	p.gap()
	if !usual {
		p.field("stopReason", m.StopReason)
	}
	p.field("errorMessage", m.ErrorMessage)
}

// isUsual tells whether a turn ended as it should.
func isUsual(stopReason model.Value) bool {
	switch string(inside(stopReason)) {
	case "stop", "toolUse":
		return true
	}
	return isNothing(stopReason)
}

func (p *page) toolResult(m *model.Message, at Place) {
	p.partOf(m.ToolName)
	p.partOf(m.ToolCallID)
	if m.IsError.Truthy() {
		p.part("error")
	}
	p.endHeading(at)
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.Type == "text" && b.Text.Kind() == model.String {
			p.gap()
			p.fence(b.Text)
		} else {
			p.block(b)
		}
	}
}

func (p *page) bashExecution(m *model.Message, at Place) {
	if m.ExcludeFromContext.Truthy() {
		p.part("excluded")
		p.remarks = append(p.remarks, "kept out of the context (excludeFromContext)")
	}
	p.endHeading(at)
	p.field("command", m.Command)
	if m.Output.Kind() == model.String && m.Output.Truthy() {
		p.gap()
		p.fence(m.Output)
	} else {
		p.field("output", m.Output)
	}
	p.gap()
	p.field("exitCode", m.ExitCode)
	if m.Cancelled.Truthy() {
		p.field("cancelled", m.Cancelled)
	}
	if m.Truncated.Truthy() {
		p.field("truncated", m.Truncated)
		p.field("fullOutputPath", m.FullOutputPath)
	}
}

// unknownMessage writes a message of a role that pi does not know, and so sends
// to no model: its JSON, and its content as that of others.
func (p *page) unknownMessage(m *model.Message, at Place) {
	p.part(noMessage)
	p.endHeading(at)
	switch m.Raw.Kind() {
	case model.Undefined:
	case model.Object:
		p.json(m.Raw.With("content", nil))
		p.content(p.blocks)
	default:
		p.json(m.Raw)
	}
}

// noMessage is said of entries that give no message to a model's context.
const noMessage = "no message"
