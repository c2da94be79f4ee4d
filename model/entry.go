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
func DecodeHeader(v Value) Header {
	h := Header{Raw: v}
	for key, value := range v.Members() {
		switch string(key.name()) {
		case "version":
			h.Version = value
		case "id":
			h.ID = value
		case "timestamp":
			h.Timestamp = value
		case "cwd":
			h.Cwd = value
		case "parentSession":
			h.ParentSession = value
		case "branchedFrom":
			h.BranchedFrom = value
		case "title":
			h.Title = value
		}
	}
	return h
}

// IsHeader tells whether pi takes the first parsed line v as a session header:
// an object of type "session" whose id is a string.
func IsHeader(v Value) bool {
	return isText(v.Get("type"), kindWords[KindSession]) && v.Get("id").Kind() == String
}

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
func DecodeEntry(v Value) (e Entry) {
	e.Decode(v)
	return e
}

// Decode is DecodeEntry into e, for who decodes one entry after the other.
func (e *Entry) Decode(v Value) {
	*e = Entry{Raw: v}
	if v.Kind() != Object {
		return
	}
	var typ, role Value
	v.eachMember(v.space(0), func(name []byte, at int) (end int) {
		switch string(name) {
		case "type":
			typ, end = v.from(at)
		case "message":
			role, end = v.memberFrom(at, "role")
			e.Message = v[at:end:end]
		default:
			var value Value
			value, end = v.from(at)
			e.set(name, value)
		}
		return end
	})
	e.Type = typ.word()
	if !isText(typ, kindWords[KindMessageOther]) {
		role = nil
	}
	e.Kind, _ = kindOf(typ, role)
}

// memberFrom returns the member of the object that begins at v[i], as Get does,
// and the offset after the object. Other values it goes over.
func (v Value) memberFrom(i int, key string) (member Value, end int) {
	if !v.opens(i, '{') {
		return nil, v.end(i)
	}
	end = v.eachMember(i, func(name []byte, at int) int {
		value, end := v.from(at)
		if string(name) == key {
			member = value
		}
		return end
	})
	return member, end
}

// set sets the field that is called name.
func (e *Entry) set(name []byte, value Value) {
	switch string(name) {
	case "id":
		e.ID = value
	case "parentId":
		e.ParentID = value
	case "timestamp":
		e.Timestamp = value
	case "provider":
		e.Provider = value
	case "modelId":
		e.ModelID = value
	case "thinkingLevel":
		e.ThinkingLevel = value
	case "summary":
		e.Summary = value
	case "tokensBefore":
		e.TokensBefore = value
	case "firstKeptEntryId":
		e.FirstKeptEntryID = value
	case "retainedTail":
		e.RetainedTail = value
	case "systemMessage":
		e.SystemMessage = value
	case "fromId":
		e.FromID = value
	case "fromHook":
		e.FromHook = value
	case "details":
		e.Details = value
	case "usage":
		e.Usage = value
	case "customType":
		e.CustomType = value
	case "data":
		e.Data = value
	case "content":
		e.Content = value
	case "display":
		e.Display = value
	case "targetId":
		e.TargetID = value
	case "label":
		e.Label = value
	case "name":
		e.Name = value
	case "replacement":
		e.Replacement = value
	case "kind":
		e.UsageKind = value
	case "model":
		e.Model = value
	case "note":
		e.Note = value
	case "activeToolNames":
		e.ActiveToolNames = value
	}
}
