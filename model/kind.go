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
	KindCustomRole     // message role custom; hookMessage before version 3 (package migrate)
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

// kindWords are the roles and types as stored.
var kindWords = [...]string{
	KindSession:             "session",
	KindUser:                "user",
	KindAssistant:           "assistant",
	KindToolResult:          "toolResult",
	KindBashExecution:       "bashExecution",
	KindCustomRole:          "custom",
	KindBranchRole:          "branchSummary",
	KindCompactionRole:      "compactionSummary",
	KindSystem:              "system",
	KindMessageOther:        "message",
	KindModelChange:         "model_change",
	KindThinkingLevelChange: "thinking_level_change",
	KindCompaction:          "compaction",
	KindBranchSummary:       "branch_summary",
	KindCustom:              "custom",
	KindCustomMessage:       "custom_message",
	KindLabel:               "label",
	KindSessionInfo:         "session_info",
	KindContextEdit:         "context_edit",
	KindUsage:               "usage",
	KindLeaf:                "leaf",
	KindActiveToolsChange:   "active_tools_change",
}

// String returns the role of a message kind, else the type, as stored; "message"
// for KindMessageOther, "" for KindUnknown.
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return ""
}

// IsMessage tells whether entries of this kind have the type "message".
func (k Kind) IsMessage() bool { return k >= KindUser && k <= KindMessageOther }

// holdsBlocks tells whether entries of this kind may have content blocks though
// they are no messages.
func (k Kind) holdsBlocks() bool {
	return k == KindCustomMessage || k == KindCompaction || k == KindContextEdit
}

// kindOf returns the kind of an entry by its type and its message's role, and
// the word that the kind does not tell.
func kindOf(typ, role Value) (Kind, string) {
	if isText(typ, kindWords[KindMessageOther]) {
		return lookUp(kindOfRole, role, KindMessageOther)
	}
	return lookUp(kindOfType, typ, KindUnknown)
}

// lookUp returns the kind of the string word, or other and the word itself.
func lookUp(kinds map[string]Kind, word Value, other Kind) (Kind, string) {
	if kind, ok := kinds[string(word)]; ok {
		return kind, ""
	}
	text := word.Text() // It may have escapes.
	if kind, ok := kinds[string(AppendString(nil, text))]; ok {
		return kind, ""
	}
	return other, text
}

// The kinds by their words as JSON strings.
var (
	kindOfRole = kindsByWord(Kind.IsMessage)
	kindOfType = kindsByWord(func(k Kind) bool { return !k.IsMessage() })
)

// kindsByWord returns the kinds that of takes.
func kindsByWord(of func(Kind) bool) map[string]Kind {
	kinds := make(map[string]Kind)
	for k := KindSession; int(k) < len(kindWords); k++ {
		if k != KindMessageOther && of(k) {
			kinds[string(AppendString(nil, kindWords[k]))] = k
		}
	}
	return kinds
}
