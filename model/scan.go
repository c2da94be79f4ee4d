package model

// Fields is what an index keeps of a line: the position of an entry in its tree
// and the facts that decide about other entries. No body.
type Fields struct {
	// Kind tells type and role in one byte; Word is the type (for messages: the
	// role) where Kind does not tell it, else "".
	Kind Kind
	Word string

	// ID is the entry's id. A number or another non-string is called by its
	// JSON text, as JSON.stringify spells it. HasID is false where the key is
	// missing or null.
	ID    string
	HasID bool

	// ParentID likewise. HasParent is false where the key is missing or null.
	// pi's walks to the root stop at a parent that is falsy ("" above all), while
	// its tree does look it up: see tree.
	ParentID  string
	HasParent bool

	// Time is the entry's timestamp in Unix milliseconds, as JavaScript's Date
	// reads it, or NoTime.
	Time int64

	// Activity is, for user and assistant messages that have a content key, the
	// message's own numeric timestamp (Unix milliseconds), else Time; NoTime for
	// all else. pi's session picker takes the latest as the session's date.
	Activity int64

	// TargetID is what label, context_edit and leaf entries point at, and the
	// firstKeptEntryId of a compaction. HasTarget is false where missing or null.
	TargetID  string
	HasTarget bool

	// Text is the label of a label entry, the name of a session_info entry; ""
	// if missing or no string.
	Text string

	// FirstKeptIndex is a version-1 compaction's firstKeptEntryIndex, -1 if none.
	FirstKeptIndex int64

	// Retained tells that a compaction has a (truthy) retainedTail.
	Retained bool

	// Images tells that the line may hold image blocks; false is certain.
	Images bool
}

// Scan reads the fields of one line (without its newline). ok is false if the
// line is no JSON object: pi skips such a line if it is no JSON at all, and
// [Valid] tells. The line must be clean (see [Clean]) or at least is read as if
// it had been cleaned. The strings of the result do not keep line alive.
func Scan(line []byte) (f Fields, ok bool) {
	s := scanner{checker: newChecker(line)}
	i := s.space(0)
	if s.at(i) != '{' || !s.isEnd(s.object(i, s.entryMember)) {
		return Fields{}, false
	}
	return s.fields(line), true
}

// fields gives the members of line their meaning.
func (m *members) fields(line []byte) Fields {
	f := Fields{Activity: NoTime, FirstKeptIndex: -1}
	f.Kind, f.Word = kindOf(m.typ, m.role)
	f.ID, f.HasID = reference(m.id)
	f.ParentID, f.HasParent = reference(m.parentID)
	f.Time = ParseTime(m.timestamp)
	switch f.Kind {
	case KindUser, KindAssistant:
		f.Activity = m.activity(f.Time)
	case KindLabel:
		f.TargetID, f.HasTarget = reference(m.targetID)
		f.Text = m.label.Text()
	case KindContextEdit, KindLeaf:
		f.TargetID, f.HasTarget = reference(m.targetID)
	case KindSessionInfo:
		f.Text = m.name.Text()
	case KindCompaction:
		f.TargetID, f.HasTarget = reference(m.firstKeptEntryID)
		f.FirstKeptIndex = index(m.firstKeptIndex)
		f.Retained = m.retainedTail.Truthy()
	}
	f.Images = m.hasImage && f.Kind.IsMessage() || f.Kind.holdsBlocks() && mentionsImage(line)
	return f
}

// activity is pi's getMessageActivityTime for a user or assistant message.
func (m *members) activity(entryTime int64) int64 {
	switch {
	case !m.hasContent:
		return NoTime
	case m.messageTimestamp.Kind() == Number:
		return ParseTime(m.messageTimestamp)
	}
	return entryTime
}

// reference returns what an id, or a field that names one, is called by.
func reference(v Value) (id string, ok bool) {
	switch v.Kind() {
	case Undefined, Null:
		return "", false
	case String:
		return v.Text(), true
	case Number:
		n, _ := v.Float()
		return string(appendNumber(nil, n)), true
	}
	return string(Clean(v.AppendCompact(nil))), true
}

// index returns the number v if it can be an index into a list, else -1.
func index(v Value) int64 {
	n, ok := v.Float()
	if !ok || n < 0 || n >= 1<<53 || n != float64(int64(n)) {
		return -1
	}
	return int64(n)
}
