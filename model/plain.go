package model

import (
	"bytes"
	"unsafe"
)

// isPlain tells whether sonic reads line as JSON.parse does. sonic merges the
// members of a second message into the first instead of replacing it, tells a
// content that is null, missing or empty by nothing (the slice is used again), and
// corrects a line that is no UTF-8 in a way of its own.
func (q *quickLine) isPlain(line []byte) bool {
	if offset(line, q.Type) < 0 || bytes.IndexByte(q.Type, '\\') >= 0 {
		return false
	}
	if string(q.Type) != `"message"` {
		return true
	}
	if len(q.Message.Content) == 0 {
		return false
	}
	return q.Message.isOnly(line)
}

// isOnly tells whether m is the only message in line. It looks at what stands
// around the bulk of the line, whose parts are whole values and hold no key of the
// line's own.
func (m *quickMessage) isOnly(line []byte) bool {
	var counter keyCounter
	from := 0
	for i := range m.Content {
		b := &m.Content[i]
		for _, part := range [...]raw{b.Text, b.Thinking, b.Signature, b.Arguments, b.Data} {
			if at := offset(line, part); at >= from { // Out of order: read it all.
				counter.add(line[from:at])
				from = at + len(part)
			}
		}
	}
	if at := offset(line, m.Details); at >= from {
		counter.add(line[from:at])
		from = at + len(m.Details)
	}
	counter.add(line[from:])
	return counter.keys < manyKeys
}

// keyCounter counts in the parts of a line the strings that end in message, with
// escapes or without: a line has two if it has one message, its type being the
// other. Where text is mistaken for a key, the line is merely read in another way.
type keyCounter struct{ keys int }

// manyKeys is more than the keys of a plain line.
const manyKeys = 3

func (c *keyCounter) add(part []byte) {
	if bytes.IndexByte(part, '\\') >= 0 && bytes.Contains(part, []byte(`\u`)) {
		c.keys = manyKeys
	}
	const word, g = `message"`, len("messa")
	for from := 0; ; { // The letter g is rarer than m.
		n := bytes.IndexByte(part[from:], 'g')
		if n < 0 {
			return
		}
		at := from + n
		from = at + 1
		if at >= g && at-g+len(word) <= len(part) && string(part[at-g:at-g+len(word)]) == word {
			c.keys++
		}
	}
}

// offset returns where span, a part of line, begins in it, or -1 if it is none.
func offset(line []byte, span raw) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(span))) - uintptr(unsafe.Pointer(unsafe.SliceData(line)))
	if span == nil || at >= uintptr(len(line)) {
		return -1
	}
	return int(at)
}

func (m *quickMessage) hasImage() bool {
	for i := range m.Content {
		if isText(Value(m.Content[i].Type), typeImage) {
			return true
		}
	}
	return false
}

// members returns what sonic found.
func (q *quickLine) members() members {
	return members{
		typ: Value(q.Type), id: Value(q.ID), parentID: Value(q.ParentID), timestamp: Value(q.Timestamp),
		role: Value(q.Message.Role), messageTimestamp: Value(q.Message.Timestamp),
		targetID: Value(q.TargetID), label: Value(q.Label), name: Value(q.Name),
		firstKeptEntryID: Value(q.FirstKeptEntryID), firstKeptIndex: Value(q.FirstKeptIndex),
		retainedTail: Value(q.RetainedTail),
		hasContent:   q.Message.Content != nil,
		hasImage:     q.Message.hasImage(),
	}
}
