package model

// Header is the first line of a session file. Fields that pi does not know stay
// in Raw.
type Header struct {
	Raw           Value
	Version       Value // 3; missing means 1
	ID            Value
	Timestamp     Value
	Cwd           Value
	ParentSession Value
	BranchedFrom  Value // the older name of ParentSession
	Title         Value // another program's
}

// DecodeHeader reads v, the header line of a session.
func DecodeHeader(v Value) Header { panic("todo") }

// IsHeader tells whether pi takes the first parsed line v as a session header:
// an object of type "session" whose id is a string.
func IsHeader(v Value) bool { panic("todo") }

// Entry is one line of a session after the header, with the fields of all known
// types (format: one struct, since a line is decoded often and kept never).
// Fields that the entry lacks are nil.
type Entry struct {
	Raw       Value // the whole entry
	Kind      Kind
	Type      string // as stored, "" if no string
	ID        Value
	ParentID  Value
	Timestamp Value

	Message Value // message

	Provider      Value // model_change, usage
	ModelID       Value // model_change
	ThinkingLevel Value // thinking_level_change

	Summary          Value // compaction, branch_summary
	TokensBefore     Value // compaction
	FirstKeptEntryID Value // compaction
	RetainedTail     Value // compaction, written by the agent core
	SystemMessage    Value // compaction
	FromID           Value // branch_summary
	FromHook         Value // compaction, branch_summary
	Details          Value // compaction, branch_summary, custom_message
	Usage            Value // compaction, branch_summary, usage

	CustomType Value // custom, custom_message
	Data       Value // custom
	Content    Value // custom_message
	Display    Value // custom_message

	TargetID    Value // label, context_edit, leaf
	Label       Value // label
	Name        Value // session_info
	Replacement Value // context_edit

	UsageKind       Value // usage: "kind"
	Model           Value // usage
	Note            Value // usage
	ActiveToolNames Value // active_tools_change
}

// DecodeEntry reads v, a line that [Scan] took. It goes over v once.
func DecodeEntry(v Value) Entry { panic("todo") }
