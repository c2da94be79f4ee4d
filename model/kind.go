package model

// Kind is the type of an entry and, for messages, its role.
type Kind uint8

// The kinds of lines. KindUnknown is an entry of a type that pifs does not
// know; KindMessageOther a message of a role that it does not know (or none).
const (
	KindUnknown Kind = iota
	KindSession
	KindUser
	KindAssistant
	KindToolResult
	KindBashExecution
	KindCustomRole     // message role custom; hookMessage before version 3
	KindBranchRole     // message role branchSummary (never stored by pi)
	KindCompactionRole // message role compactionSummary (never stored by pi)
	KindSystem
	KindMessageOther
	KindModelChange
	KindThinkingLevelChange
	KindCompaction
	KindBranchSummary
	KindCustom
	KindCustomMessage
	KindLabel
	KindSessionInfo
	KindContextEdit
	KindUsage
	KindLeaf
	KindActiveToolsChange
)

// String returns the role of a message kind, else the type, as stored.
func (k Kind) String() string { panic("todo") }

// IsMessage tells whether entries of this kind have the type "message".
func (k Kind) IsMessage() bool { return k >= KindUser && k <= KindMessageOther }
