package model

// A scanner is a checker that takes note of the members that fields are made of.
type scanner struct {
	checker
	members
}

// members are the members of a line that fields are made of.
type members struct {
	typ, id, parentID, timestamp     Value
	role, messageTimestamp           Value
	targetID, label, name            Value
	firstKeptEntryID, firstKeptIndex Value
	retainedTail                     Value

	hasContent bool // the message has a content, be it null
	hasImage   bool // and an image block in it
}

// entryMember takes the value at i of a member of the entry.
func (s *scanner) entryMember(key []byte, i int) int {
	switch string(key) {
	case "type":
		return s.keep(&s.typ, i)
	case "id":
		return s.keep(&s.id, i)
	case "parentId":
		return s.keep(&s.parentID, i)
	case "timestamp":
		return s.keep(&s.timestamp, i)
	case "message":
		s.role, s.messageTimestamp, s.hasContent, s.hasImage = nil, nil, false, false
		return s.object(i, s.messageMember)
	case "targetId":
		return s.keep(&s.targetID, i)
	case "label":
		return s.keep(&s.label, i)
	case "name":
		return s.keep(&s.name, i)
	case "firstKeptEntryId":
		return s.keep(&s.firstKeptEntryID, i)
	case "firstKeptEntryIndex":
		return s.keep(&s.firstKeptIndex, i)
	case "retainedTail":
		return s.keep(&s.retainedTail, i)
	}
	return s.value(i)
}

func (s *scanner) messageMember(key []byte, i int) int {
	switch string(key) {
	case "role":
		return s.keep(&s.role, i)
	case "timestamp":
		return s.keep(&s.messageTimestamp, i)
	case "content":
		s.hasContent, s.hasImage = true, false
		return s.array(i, s.block)
	}
	return s.value(i)
}

// block takes a content block.
func (s *scanner) block(i int) int {
	var typ Value
	i = s.object(i, func(key []byte, i int) int {
		if string(key) == "type" {
			return s.keep(&typ, i)
		}
		return s.value(i)
	})
	s.hasImage = s.hasImage || isText(typ, typeImage)
	return i
}

// keep takes the value at i and puts it into v.
func (s *scanner) keep(v *Value, i int) int {
	end := s.value(i)
	if end != bad {
		*v = s.line[i:end:end]
	}
	return end
}

// object takes the value at i. If it is an object, each member's value is taken
// by member, which is told the decoded key.
func (c *checker) object(i int, member func(key []byte, i int) int) int {
	if c.at(i) != '{' {
		return c.value(i)
	}
	if i = c.space(i + 1); c.at(i) == '}' {
		return i + 1
	}
	for {
		at, key := c.member(i)
		if at == bad {
			return bad
		}
		if i = member(key, at); i == bad {
			return bad
		}
		switch i = c.space(i); c.at(i) {
		case ',':
			i = c.space(i + 1)
		case '}':
			return i + 1
		default:
			return bad
		}
	}
}

// member takes a member up to its value and returns the decoded key as well.
func (c *checker) member(i int) (at int, key []byte) {
	if c.at(i) != '"' {
		return bad, nil
	}
	end := c.str(i)
	if end == bad {
		return bad, nil
	}
	at = c.space(end)
	if c.at(at) != ':' {
		return bad, nil
	}
	return c.space(at + 1), Value(c.line[i:end]).name()
}

// array takes the value at i. If it is an array, each element is taken by element.
func (c *checker) array(i int, element func(i int) int) int {
	if c.at(i) != '[' {
		return c.value(i)
	}
	if i = c.space(i + 1); c.at(i) == ']' {
		return i + 1
	}
	for {
		if i = element(i); i == bad {
			return bad
		}
		switch i = c.space(i); c.at(i) {
		case ',':
			i = c.space(i + 1)
		case ']':
			return i + 1
		default:
			return bad
		}
	}
}
