package model

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"
)

// Names stay well below the 255 bytes that file systems allow, so that a number
// and an extension fit too. hashDigits is enough to keep apart what a person
// sees in one directory.
const (
	maxNameBytes = 200
	hashDigits   = 8
)

// FileName writes data (an id, a label, a title) as a file name that can stand
// in any directory. `/`, `%`, control characters, line and paragraph separators,
// bidi controls, bytes that are no UTF-8, a leading `.`, `-` or `#` and a
// trailing `~` or space are written %XX (each byte); so is a `~` before 8 hex
// digits at the end. The empty text is "%". Over 200 bytes the name is cut at a
// character (never inside what is written %XX) and gets `~` and 8 hex digits of
// text's SHA-256. Two texts never get one name, short of a collision of those 32
// bits among texts that begin alike.
func FileName(text string) string {
	if isPlainName(text) {
		return text
	}
	if text == "" {
		return "%"
	}
	name := make([]byte, 0, len(text)+2)
	cut := 0 // where the name ends if it must be cut
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if escapes(r, size) || escapesAt(text, i) {
			name = appendPercent(name, text[i:i+size])
		} else {
			name = append(name, text[i:i+size]...)
		}
		if len(name) <= maxNameBytes-1-hashDigits {
			cut = len(name)
		}
		i += size
	}
	if len(name) <= maxNameBytes {
		return string(name)
	}
	sum := sha256.Sum256([]byte(text))
	name = append(name[:cut], '~')
	return string(hex.AppendEncode(name, sum[:hashDigits/2]))
}

// isPlainName tells that FileName changes nothing in text, as it is with most ids.
func isPlainName(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
		case c == '-' && i > 0:
		default:
			return false
		}
	}
	return text != "" && len(text) <= maxNameBytes
}

// escapes tells whether the character r of size bytes is written %XX anywhere.
func escapes(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		return true
	case r == '/', r == '%', r < ' ', 0x7F <= r && r <= 0x9F:
		return true
	case r == '\u2028', r == '\u2029':
		return true
	}
	return isBidiControl(r)
}

func isBidiControl(r rune) bool {
	switch r {
	case '\u061C', '\u200E', '\u200F':
		return true
	}
	return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069'
}

// escapesAt tells whether the byte of text at i is written %XX for its place: as
// the first it would hide the file or look like an option or a comment, as the
// last look like an editor's copy or be overlooked; and a `~` before a hash would
// look like a name that was cut.
func escapesAt(text string, i int) bool {
	switch text[i] {
	case '.', '-', '#':
		return i == 0
	case ' ':
		return i == len(text)-1
	case '~':
		rest := text[i+1:]
		return rest == "" || len(rest) == hashDigits && isLowerHex(rest)
	}
	return false
}

func isLowerHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func appendPercent(dst []byte, text string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		dst = append(dst, '%', digits[text[i]>>4], digits[text[i]&15])
	}
	return dst
}

// ParseFileName is the reverse of FileName for what a user typed: %XX are
// decoded, everything else stands for itself. ok is false if the result is no
// UTF-8 or a % is not followed by two hex digits (a name that is "%" alone
// is the empty text). A name that was cut cannot be reversed: it stands for
// itself too.
func ParseFileName(name string) (text string, ok bool) {
	if name == "%" {
		return "", true
	}
	decoded := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '%' {
			if c, ok = percent(name[i+1:]); !ok {
				return "", false
			}
			i += 2
		}
		decoded = append(decoded, c)
	}
	return string(decoded), utf8.Valid(decoded)
}

// percent reads the two hex digits at the beginning of text.
func percent(text string) (byte, bool) {
	if len(text) < 2 {
		return 0, false
	}
	high, ok1 := hexDigit(text[0])
	low, ok2 := hexDigit(text[1])
	return high<<4 | low, ok1 && ok2
}
