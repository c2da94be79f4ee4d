package render

import (
	"unicode/utf16"
	"unicode/utf8"
)

// shortEscape has what the common escapes of JSON stand for.
var shortEscape = [256]byte{'n': '\n', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// appendEscape appends what the escape at text[i], a backslash, stands for and
// returns the offset after it.
func appendEscape(dst, text []byte, i int) ([]byte, int) {
	if i+1 == len(text) {
		return append(dst, replacement...), i + 1
	}
	i += 2
	switch c := text[i-1]; c {
	case 'r':
		return appendReturn(dst, text[i:]), i
	case 'b':
		return appendRune(dst, '\b'), i
	case 'f':
		return appendRune(dst, '\f'), i
	case 'u':
		r, size := hexRune(text[i:])
		i += size
		if r == '\r' {
			return appendReturn(dst, text[i:]), i
		}
		return appendRune(dst, r), i
	default: // JSON has no such escape.
		return dst, i - 1
	}
}

// appendReturn appends a carriage return, unless an escaped newline follows it.
func appendReturn(dst, rest []byte) []byte {
	if len(rest) >= 2 && rest[0] == '\\' {
		if rest[1] == 'n' {
			return dst
		}
		if r, _ := hexRune(rest[2:]); rest[1] == 'u' && r == '\n' {
			return dst
		}
	}
	return appendRune(dst, '\r')
}

// hexRune decodes what follows \u, and the second half of a surrogate pair, and
// returns how many bytes those are.
func hexRune(text []byte) (r rune, size int) {
	high, ok := hex4(text)
	if !ok {
		return utf8.RuneError, 0
	}
	if !utf16.IsSurrogate(high) {
		return high, 4
	}
	if len(text) >= 10 && text[4] == '\\' && text[5] == 'u' {
		low, _ := hex4(text[6:])
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, 10
		}
	}
	return utf8.RuneError, 4
}

// hex4 reads four hexadecimal digits.
func hex4(text []byte) (r rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
