package render

import "unicode/utf8"

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
