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
// as it is.
func isClean(text []byte) bool {
	for i := 0; i < len(text); {
		i += cleanRun(text[i:])
		if i < len(text) {
			n := plainSize(text[i:])
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return true
}

// appendClean appends text such that it can be shown: control characters other
// than tab and newline as their pictures (U+2400 on), C1 and bidi controls as
// <U+009B>, bad bytes and lone surrogates as U+FFFD, and without the carriage
// return of a CR LF. If escaped, text is the inside of a JSON string.
func appendClean(dst, text []byte, escaped bool) []byte {
	for i := 0; i < len(text); {
		dst = slices.Grow(dst, len(text)-i+wordBytes)
		read, written := copyClean(dst[len(dst):cap(dst)], text[i:], escaped)
		dst = dst[:len(dst)+written]
		i += read
		if i < len(text) {
			dst, i = appendOdd(dst, text, i, escaped)
		}
	}
	return dst
}

// wordBytes is how much copyClean reads and writes at a time.
const wordBytes = 8

// copyClean copies from text to dst up to the first thing that does not get
// shorter, or stay, when it is made safe to show. It returns how much it has read
// and written. dst must be longer than text by wordBytes.
func copyClean(dst, text []byte, escaped bool) (read, written int) {
	i, j := 0, 0
	for i < len(text) {
		if i+wordBytes <= len(text) {
			word := binary.LittleEndian.Uint64(text[i:])
			binary.LittleEndian.PutUint64(dst[j:], word)
			stops := stopBytes(word)
			if stops == 0 {
				i += wordBytes
				j += wordBytes
				continue
			}
			n := bits.TrailingZeros64(stops) / 8
			i += n
			j += n
		}
		if c := text[i]; c == '\\' && escaped {
			if i+1 == len(text) || shortEscape[text[i+1]] == 0 {
				return i, j
			}
			dst[j] = shortEscape[text[i+1]]
			i += 2
			j++
			continue
		}
		n := plainSize(text[i:])
		if n == 0 {
			return i, j
		}
		for range n {
			dst[j] = text[i]
			i++
			j++
		}
	}
	return i, j
}

// shortEscape has what the common escapes of JSON stand for.
var shortEscape = [256]byte{'n': '\n', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// plainSize returns the length of the first character of text if it stands for
// itself, else 0.
func plainSize(text []byte) int {
	c := text[0]
	if c < utf8.RuneSelf {
		if c >= 0x20 && c != 0x7F || c == '\n' || c == '\t' {
			return 1
		}
		return 0
	}
	if 0xE3 <= c && c <= 0xEC && len(text) > 2 && isContinuation(text[1]) && isContinuation(text[2]) {
		return 3 // The bulk of what is not ASCII, without a call.
	}
	r, size := utf8.DecodeRune(text)
	if isHidden(r) || r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}

func isContinuation(c byte) bool { return c&0xC0 == 0x80 }

// appendOdd appends what stands for the character or escape at text[i], which
// copyClean does not copy, and returns the offset after it.
func appendOdd(dst, text []byte, i int, escaped bool) ([]byte, int) {
	c := text[i]
	if c == '\\' && escaped {
		return appendEscape(dst, text, i)
	}
	if c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		return dst, i + 1
	}
	r, size := utf8.DecodeRune(text[i:])
	return appendRune(dst, r), i + size
}

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
