package model

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns line as pi decodes it: bytes that are no UTF-8 become U+FFFD
// (one for each maximal subpart, as the WHATWG decoder does). It returns line
// itself if there are none.
func Clean(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	clean := make([]byte, 0, len(line)+len(line)/8)
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		if r == utf8.RuneError && size == 1 {
			size = subpart(line)
		}
		clean = utf8.AppendRune(clean, r)
		line = line[size:]
	}
	return clean
}

// subpart returns the length of the maximal subpart at the beginning of b, which
// is no UTF-8: the bytes that could have become a character together.
func subpart(b []byte) int {
	length, low, high := 0, byte(0x80), byte(0xBF)
	switch lead := b[0]; {
	case lead >= 0xC2 && lead <= 0xDF:
		length = 2
	case lead >= 0xE0 && lead <= 0xEF:
		length = 3
	case lead >= 0xF0 && lead <= 0xF4:
		length = 4
	}
	switch b[0] { // Overlong forms, surrogates, and what is above U+10FFFF.
	case 0xE0:
		low = 0xA0
	case 0xED:
		high = 0x9F
	case 0xF0:
		low = 0x90
	case 0xF4:
		high = 0x8F
	}
	n := 1
	for n < length && n < len(b) && low <= b[n] && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}

// Blank tells whether line is nothing but white space (JavaScript's trim), a
// line that pi skips without a word.
func Blank(line []byte) bool {
	return len(bytes.TrimLeftFunc(line, isBlank)) == 0
}

// Trim removes what JavaScript's trim takes as white space from both ends of
// text, as pi does with a session's name.
func Trim(text string) string { return strings.TrimFunc(text, isBlank) }

func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\uFEFF', '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Zs, r)
}
