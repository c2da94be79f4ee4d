package render

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
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
