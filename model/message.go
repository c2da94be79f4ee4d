package model

import "iter"

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
func DecodeMessage(v Value) Message { panic("todo") }

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
func DecodeBlock(v Value) Block { panic("todo") }

// Blocks yields the blocks of a content: those of an array, one text block for
// a string, none for null or undefined, one block of Type "" that holds any
// other value.
func Blocks(content Value) iter.Seq[Block] { panic("todo") }

// Usage is what a call of a model took: tokens, and US dollars.
type Usage struct {
	Input, Output, CacheRead, CacheWrite float64
	Cost                                 float64
}

// DecodeUsage reads a stored usage object. Missing or wrongly typed figures
// count as zero (pi throws on some of these files). ok is false if v is no
// object.
func DecodeUsage(v Value) (u Usage, ok bool) { panic("todo") }

// Add adds v to u.
func (u *Usage) Add(v Usage) { panic("todo") }

// Tokens is the sum that pi shows: input + output + cacheRead + cacheWrite.
func (u Usage) Tokens() float64 { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// EntryUsage returns the usage that counts in a session's totals for e: of
// assistant messages, of tool results, compactions, branch summaries and usage
// entries that carry one.
func EntryUsage(e Entry) (u Usage, ok bool) { panic("todo") }
