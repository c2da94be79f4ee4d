package model

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnescaped appends raw, the inside of a JSON string, decoded.
func appendUnescaped(dst, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 || n+1 == len(raw) {
			return append(dst, Clean(raw)...)
		}
		dst = append(dst, Clean(raw[:n])...)
		escape := raw[n+1]
		raw = raw[n+2:]
		if escape == 'u' {
			var r rune
			r, raw = unescapeRune(raw)
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = append(dst, unescapeByte(escape))
		}
	}
}

// unescapeByte returns what a backslash and c stand for.
func unescapeByte(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unescapeRune decodes the digits of a \u escape at the beginning of raw, and of
// the second one of a surrogate pair, and returns what follows them.
func unescapeRune(raw []byte) (rune, []byte) {
	unit, ok := hex4(raw)
	if !ok {
		return utf8.RuneError, raw
	}
	raw = raw[4:]
	if !utf16.IsSurrogate(unit) {
		return unit, raw
	}
	if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
		if low, ok := hex4(raw[2:]); ok {
			if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
				return r, raw[6:]
			}
		}
	}
	return utf8.RuneError, raw
}

// hex4 reads four hexadecimal digits.
func hex4(raw []byte) (rune, bool) {
	if len(raw) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range raw[:4] {
		digit, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
