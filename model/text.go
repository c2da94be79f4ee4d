package model

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Text returns the decoded string v, "" if v is no string. Lone surrogates
// become U+FFFD.
func (v Value) Text() string {
	if text, ok := v.plain(); ok {
		return string(text)
	}
	raw, _ := v.inner()
	return string(appendUnescaped(make([]byte, 0, len(raw)), raw))
}

// AppendText appends the decoded string v to dst, nothing if v is no string.
func (v Value) AppendText(dst []byte) []byte {
	raw, _ := v.inner()
	return appendUnescaped(dst, raw)
}

// Float returns the number v, false if v is no number. Like JSON.parse it
// rounds to the nearest float64, infinities included.
func (v Value) Float() (float64, bool) {
	if n, ok := v.digits(); ok {
		return float64(n), true
	}
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(v)), 64)
	if err != nil && n == 0 { // A number out of range comes with an infinity.
		return 0, false
	}
	return n, true
}

// digits returns the number v if it is a short row of digits, as most are.
func (v Value) digits() (n int64, ok bool) {
	const exact = 15 // More digits may need rounding.
	if len(v) == 0 || len(v) > exact {
		return 0, false
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// Truthy tells whether JavaScript takes v as true: neither undefined, null,
// false, zero nor the empty string.
func (v Value) Truthy() bool {
	switch v.Kind() {
	case Undefined, Null:
		return false
	case Bool:
		return v[v.space(0)] == 't'
	case Number:
		n, _ := v.Float()
		return n != 0
	case String:
		raw, _ := v.inner()
		return len(raw) > 0
	}
	return true
}

// plain returns the text of a string without escapes, a part of v; ok is false for
// all else.
func (v Value) plain() (text []byte, ok bool) {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' || bytes.IndexByte(v, '\\') >= 0 {
		return nil, false
	}
	text = v[1 : len(v)-1]
	return text, utf8.Valid(text)
}

// isText tells whether v is the string text.
func isText(v Value, text string) bool {
	if plain, ok := v.plain(); ok {
		return string(plain) == text
	}
	return v.Text() == text
}

// inner returns what stands between the quotes of the string v.
func (v Value) inner() (raw []byte, ok bool) {
	if v.Kind() != String {
		return nil, false
	}
	v = bytes.TrimSpace(v)
	if len(v) < 2 || v[len(v)-1] != '"' {
		return nil, false
	}
	return v[1 : len(v)-1], true
}

// name returns the decoded bytes of v, a member's key, without a copy in the
// usual case of a key without escapes.
func (v Value) name() []byte {
	if len(v) < 2 {
		return nil
	}
	raw := v[1 : len(v)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return appendUnescaped(nil, raw)
}
