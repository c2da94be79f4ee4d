package model

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Builder writes one JSON object as pi's JSON.stringify does, members in the
// order of the calls. Members whose value is nil (undefined) are left out. The
// zero Builder is ready to use.
type Builder struct{ buf []byte }

// Value adds a member that is JSON already; nil adds nothing.
func (b *Builder) Value(key string, v Value) *Builder {
	if v != nil {
		b.key(key)
		b.buf = append(b.buf, v...)
	}
	return b
}

// Text adds a string.
func (b *Builder) Text(key, text string) *Builder {
	b.key(key)
	b.buf = AppendString(b.buf, text)
	return b
}

// Float adds a number, spelled as JavaScript does; NaN and infinities are null.
func (b *Builder) Float(key string, n float64) *Builder {
	b.key(key)
	b.buf = appendNumber(b.buf, n)
	return b
}

// Bool adds true or false.
func (b *Builder) Bool(key string, t bool) *Builder {
	b.key(key)
	b.buf = strconv.AppendBool(b.buf, t)
	return b
}

// Object returns the finished object. Nothing can be added after it.
func (b *Builder) Object() Value {
	if len(b.buf) == 0 {
		return Value("{}")
	}
	return append(b.buf, '}')
}

func (b *Builder) key(key string) {
	b.separate()
	b.buf = append(AppendString(b.buf, key), ':')
}

// member adds a member whose key is JSON already; a nil value adds nothing.
func (b *Builder) member(key, value Value) {
	if value == nil {
		return
	}
	b.separate()
	b.buf = append(append(b.buf, key...), ':')
	b.buf = append(b.buf, value...)
}

// separate writes what stands before a member.
func (b *Builder) separate() {
	if len(b.buf) == 0 {
		b.buf = append(b.buf, '{')
	} else {
		b.buf = append(b.buf, ',')
	}
}

// appendNumber spells n as JavaScript's Number.prototype.toString does: plain
// digits from 1e-6 up to 1e21, else an exponent without leading zeros.
func appendNumber(dst []byte, n float64) []byte {
	switch size := math.Abs(n); {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return append(dst, "null"...)
	case n == 0:
		return append(dst, '0') // Minus zero has no sign in JavaScript's text.
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, n, 'f', -1, 64)
	}
	text := strconv.FormatFloat(n, 'e', -1, 64)
	return append(dst, strings.Replace(text, "e-0", "e-", 1)...)
}

// AppendString appends text as JSON.stringify spells it (no escaping of <, >,
// &, U+2028 and U+2029). Bytes that are no UTF-8 become U+FFFD.
func AppendString(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = string(Clean([]byte(text)))
	}
	dst = append(dst, '"')
	start := 0
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			dst = appendEscape(append(dst, text[start:i]...), c)
			start = i + 1
		}
	}
	return append(append(dst, text[start:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// With returns the object v with the member key set to value (in its place if
// there, else at the end), or removed if value is nil. All other members keep
// their spelling. If v has the key more than once, value takes the first place
// and the others go. A v that is no object is returned as it is.
func (v Value) With(key string, value Value) Value {
	if v.Kind() != Object {
		return v
	}
	b := Builder{buf: make([]byte, 0, len(v)+len(key)+len(value)+len(`,"":`))}
	for k, member := range v.Members() {
		if string(k.name()) == key {
			member, value = value, nil
		}
		b.member(k, member)
	}
	return b.Value(key, value).Object()
}
