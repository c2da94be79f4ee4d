package model

import (
	"bytes"
	"iter"
)

// ValueKind tells what a [Value] is.
type ValueKind uint8

// The kinds of a JSON value, and Undefined for one that is not there.
const (
	Undefined ValueKind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Value is the text of one valid JSON value, as it is stored: numbers and
// strings keep their spelling. The nil Value is JavaScript's undefined. Values
// are slices of the line that they were decoded from and must not be changed.
//
// Methods assume valid JSON (see [Valid]); on anything else their results mean
// nothing, but they end and do not panic. Nesting may be of any depth, and no
// method recurses.
type Value []byte

// Kind tells what v is.
func (v Value) Kind() ValueKind {
	i := v.space(0)
	if i == len(v) {
		return Undefined
	}
	switch v[i] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Get returns the member of the object v that is called key, the last one if
// there are several, or nil if there is none or v is no object.
func (v Value) Get(key string) Value {
	var found Value
	for k, member := range v.Members() {
		if string(k.name()) == key {
			found = member
		}
	}
	return found
}

// Members yields the members of the object v in stored order, duplicates
// included: the key, a string Value, and its value. Nothing if v is no object.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(key, value Value) bool) {
		for i := v.enter('{'); i < len(v) && v[i] == '"'; {
			end := v.stringEnd(i)
			key := v[i:end:end]
			i = v.space(end)
			if i == len(v) || v[i] != ':' {
				return
			}
			i = v.space(i + 1)
			end = v.end(i)
			if end == i || !yield(key, v[i:end:end]) {
				return
			}
			i = v.next(end)
		}
	}
}

// Elements yields the elements of the array v, nothing if v is no array.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := v.enter('['); i < len(v) && v[i] != ']'; {
			end := v.end(i)
			if end == i || !yield(v[i:end:end]) {
				return
			}
			i = v.next(end)
		}
	}
}

// enter returns the offset of the first token inside v if v opens with bracket,
// else len(v).
func (v Value) enter(bracket byte) int {
	i := v.space(0)
	if i == len(v) || v[i] != bracket {
		return len(v)
	}
	return v.space(i + 1)
}

// next returns the offset of the token after the comma that follows offset i,
// or len(v) if there is none.
func (v Value) next(i int) int {
	i = v.space(i)
	if i == len(v) || v[i] != ',' {
		return len(v)
	}
	return v.space(i + 1)
}

// space returns the offset of the first byte from i on that is no white space.
func (v Value) space(i int) int {
	for i < len(v) && isSpace(v[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}

// end returns the offset after the value that begins at i. It is i only where no
// value begins, which valid JSON does not have.
func (v Value) end(i int) int {
	if i == len(v) {
		return i
	}
	switch v[i] {
	case '"':
		return v.stringEnd(i)
	case '{', '[':
		return v.containerEnd(i)
	}
	for i < len(v) && isScalar[v[i]] {
		i++
	}
	return i
}

// isScalar has the bytes that numbers, true, false and null are made of.
var isScalar = func() (set [256]bool) {
	for _, c := range "+-.0123456789Eaeflnrstu" {
		set[c] = true
	}
	return set
}()

// stringEnd returns the offset after the string that begins at i. A quote ends
// it unless an odd number of backslashes stands before it.
func (v Value) stringEnd(i int) int {
	for from := i + 1; ; {
		n := bytes.IndexByte(v[from:], '"')
		if n < 0 {
			return len(v)
		}
		quote := from + n
		backslashes := 0
		for quote-backslashes-1 > i && v[quote-backslashes-1] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
}

// containerEnd returns the offset after the object or array that begins at i. It
// only counts brackets: in valid JSON they match.
func (v Value) containerEnd(i int) int {
	for depth := 0; i < len(v); {
		switch v[i] {
		case '"':
			i = v.stringEnd(i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(v)
}
