package render

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
)

// replacement stands for lone surrogates and for bytes that are no UTF-8.
const replacement = "\uFFFD"

// appendString appends the text of the JSON string v, made safe to show (see
// appendClean); nothing if v is no string. It unescapes and cleans in one pass,
// straight from the stored line.
func appendString(dst []byte, v model.Value) []byte {
	return appendClean(dst, inside(v), true)
}

// appendJSON appends the JSON of v without white space, made safe to show. Its
// escapes stay: they are harmless.
func appendJSON(dst []byte, v model.Value) []byte {
	start := len(dst)
	dst = v.AppendCompact(dst)
	if isClean(dst[start:]) {
		return dst
	}
	return appendClean(dst[:start], slices.Clone(dst[start:]), false)
}

// inside returns what stands between the quotes of the JSON string v, nil if it
// is none.
func inside(v model.Value) []byte {
	if v.Kind() != model.String {
		return nil
	}
	v = bytes.TrimSpace(v)
	return v[1:max(len(v)-1, 1)]
}

// isClean tells whether appendClean would append text, which holds no escapes,
// as it is. It may say no of a text with characters beyond ASCII.
func isClean(text []byte) bool {
	for len(text) > 0 {
		n := cleanRun(text)
		if n == len(text) {
			return true
		}
		if c := text[n]; c != '\n' && c != '\t' && c != '\\' {
			return false
		}
		text = text[n+1:]
	}
	return true
}

// appendClean appends text such that it can be shown: control characters other
// than tab and newline as their pictures (U+2400 on), C1 and bidi controls as
// <U+009B>, bad bytes and lone surrogates as U+FFFD, and without the carriage
// return of a CR LF. If escaped, text is the inside of a JSON string.
//
// What needs no change is found a word at a time and copied in runs.
func appendClean(dst, text []byte, escaped bool) []byte {
	dst = slices.Grow(dst, len(text))
	start := 0
	for i := 0; ; {
		i += cleanRun(text[i:])
		if i == len(text) {
			return append(dst, text[start:]...)
		}
		c := text[i]
		switch {
		case c == '\\' && escaped:
			dst = append(dst, text[start:i]...)
			dst, i = appendEscape(dst, text, i)
			start = i
		case c == '\n' || c == '\t' || c == '\\':
			i++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			if isShown(r, size) {
				i += size
				continue
			}
			dst = appendRune(append(dst, text[start:i]...), r)
			i += size
			start = i
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
			dst = append(dst, text[start:i]...)
			i++
			start = i
		default:
			dst = appendRune(append(dst, text[start:i]...), rune(c))
			i++
			start = i
		}
	}
}

// appendEscape appends what the escape at text[i], a backslash, stands for and
// returns the offset after it.
func appendEscape(dst, text []byte, i int) ([]byte, int) {
	if i+1 == len(text) {
		return append(dst, replacement...), i + 1
	}
	i += 2
	switch c := text[i-1]; c {
	case 'n':
		return append(dst, '\n'), i
	case 't':
		return append(dst, '\t'), i
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
	default:
		return append(dst, c), i
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

// appendRune appends r as it is shown.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '\n' || r == '\t':
		return append(dst, byte(r))
	case r < 0x20:
		return utf8.AppendRune(dst, 0x2400+r)
	case r == 0x7F:
		return utf8.AppendRune(dst, 0x2421)
	case isHidden(r):
		return appendCodePoint(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

// isShown tells of a decoded character beyond ASCII whether it stands for itself.
func isShown(r rune, size int) bool {
	return !isHidden(r) && (r != utf8.RuneError || size > 1)
}

// isHidden tells whether r is a C1 control, which terminals may obey, or one of
// Unicode's bidi controls, which reorder what is shown.
func isHidden(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9F, r == 0x061C, r == 0x200E, r == 0x200F:
		return true
	}
	return 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

// appendCodePoint appends the name of r: <U+009B>.
func appendCodePoint(dst []byte, r rune) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '<', 'U', '+', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15], '>')
}

// cleanRun returns how many bytes at the beginning of text are printable ASCII
// but backslashes.
func cleanRun(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if stops := stopBytes(binary.LittleEndian.Uint64(text[i:])); stops != 0 {
			return i + bits.TrailingZeros64(stops)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c < 0x20 || c == '\\' || c >= 0x7F {
			return i
		}
	}
	return i
}

// stopBytes sets the highest bit of each byte of word that is below 0x20, a
// backslash, or 0x7F and above. A bit above the lowest one set may be wrong, by
// the borrow of the subtractions.
func stopBytes(word uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	slash := word ^ '\\'*ones
	return ((word-0x20*ones)&^word | (slash-ones)&^slash | (word + ones) | word) & highs
}
