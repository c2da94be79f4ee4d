package model

import (
	"iter"
	"slices"
)

// Message is a message of a model's context or of an entry, with the fields of
// all known roles. Fields that it lacks are nil.
type Message struct {
	Raw       Value
	Role      string // "" if missing or no string
	Content   Value
	Timestamp Value // Unix milliseconds

	API, Provider, Model, ResponseModel, Usage, StopReason, ErrorMessage, ThinkingLevel Value // assistant

	ToolCallID, ToolName, IsError Value // toolResult
	Details                       Value // toolResult, custom

	Command, Output, ExitCode, Cancelled, Truncated, FullOutputPath, ExcludeFromContext Value // bashExecution

	CustomType, Display Value // custom

	Summary, FromID, TokensBefore Value // branchSummary, compactionSummary

	Sections, ToolsAdded, ToolsRemoved Value // system
}

// DecodeMessage reads v; the zero Message if v is no object.
func DecodeMessage(v Value) Message {
	if v.Kind() != Object {
		return Message{}
	}
	m := Message{Raw: v}
	v.eachMember(v.space(0), func(name []byte, at int) int {
		value, end := v.from(at)
		m.set(name, value)
		return end
	})
	return m
}

// DecodeMessageBlocks is DecodeMessage and the blocks of its content, as [Blocks]
// yields them, in one pass over v. It appends to blocks, which may be of use
// again for the next message.
func DecodeMessageBlocks(v Value, blocks []Block) (Message, []Block) {
	if v.Kind() != Object {
		return Message{}, blocks
	}
	m, start := Message{Raw: v}, len(blocks)
	v.eachMember(v.space(0), func(name []byte, at int) int {
		if string(name) != "content" || !v.opens(at, '[') {
			value, end := v.from(at)
			m.set(name, value)
			return end
		}
		blocks = blocks[:start]
		end := v.eachElement(at, func(at int) int {
			block, end := v.blockFrom(at)
			blocks = append(blocks, block)
			return end
		})
		m.Content = v[at:end:end]
		return end
	})
	if m.Content.Kind() != Array { // The last content of several counts.
		blocks = slices.AppendSeq(blocks[:start], Blocks(m.Content))
	}
	return m, blocks
}

// set sets the field that is called name.
func (m *Message) set(name []byte, value Value) {
	switch string(name) {
	case "role":
		m.Role = value.word()
	case "content":
		m.Content = value
	case "timestamp":
		m.Timestamp = value
	case "api":
		m.API = value
	case "provider":
		m.Provider = value
	case "model":
		m.Model = value
	case "responseModel":
		m.ResponseModel = value
	case "usage":
		m.Usage = value
	case "stopReason":
		m.StopReason = value
	case "errorMessage":
		m.ErrorMessage = value
	case "thinkingLevel":
		m.ThinkingLevel = value
	case "toolCallId":
		m.ToolCallID = value
	case "toolName":
		m.ToolName = value
	case "isError":
		m.IsError = value
	case "details":
		m.Details = value
	case "command":
		m.Command = value
	case "output":
		m.Output = value
	case "exitCode":
		m.ExitCode = value
	case "cancelled":
		m.Cancelled = value
	case "truncated":
		m.Truncated = value
	case "fullOutputPath":
		m.FullOutputPath = value
	case "excludeFromContext":
		m.ExcludeFromContext = value
	case "customType":
		m.CustomType = value
	case "display":
		m.Display = value
	case "summary":
		m.Summary = value
	case "fromId":
		m.FromID = value
	case "tokensBefore":
		m.TokensBefore = value
	case "sections":
		m.Sections = value
	case "toolsAdded":
		m.ToolsAdded = value
	case "toolsRemoved":
		m.ToolsRemoved = value
	}
}

// Block is one block of a content array, with the fields of all known types.
type Block struct {
	Raw  Value
	Type string // text, image, thinking, toolCall or another's word

	Text           Value // text
	Data, MimeType Value // image: base64
	Thinking       Value // thinking
	Redacted       Value // thinking
	ID, Name       Value // toolCall
	Arguments      Value // toolCall: an object
}

// DecodeBlock reads v.
func DecodeBlock(v Value) Block {
	b, _ := v.blockFrom(v.space(0))
	b.Raw = v
	return b
}

// blockFrom reads the block that begins at v[i] and returns the offset after it.
func (v Value) blockFrom(i int) (b Block, end int) {
	if !v.opens(i, '{') {
		b.Raw, end = v.from(i)
		return b, end
	}
	end = v.eachMember(i, func(name []byte, at int) int {
		value, end := v.from(at)
		b.set(name, value)
		return end
	})
	b.Raw = v[i:end:end]
	return b, end
}

// set sets the field that is called name.
func (b *Block) set(name []byte, value Value) {
	switch string(name) {
	case "type":
		b.Type = value.word()
	case "text":
		b.Text = value
	case "data":
		b.Data = value
	case "mimeType":
		b.MimeType = value
	case "thinking":
		b.Thinking = value
	case "redacted":
		b.Redacted = value
	case "id":
		b.ID = value
	case "name":
		b.Name = value
	case "arguments":
		b.Arguments = value
	}
}

// Blocks yields the blocks of a content: those of an array, one text block for
// a string, none for null or undefined, one block of Type "" that holds any
// other value.
func Blocks(content Value) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		switch content.Kind() {
		case Undefined, Null:
		case String:
			yield(Block{Raw: content, Type: "text", Text: content})
		case Array:
			content.eachElement(content.space(0), func(at int) int {
				block, end := content.blockFrom(at)
				if !yield(block) {
					return at
				}
				return end
			})
		default:
			yield(Block{Raw: content})
		}
	}
}
