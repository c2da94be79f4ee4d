package render

import "unicode/utf8"

// Line returns text as one line that sends nothing to a terminal: line breaks,
// tabs and other control characters stand as their pictures.
func Line(text string) string { return string(appendLine(nil, text)) }

// appendLine appends text on one line, for headings: line breaks and tabs as
// pictures, Unicode's own line breaks by name.
func appendLine(dst []byte, text string) []byte {
	if isPrintable(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t':
			dst = utf8.AppendRune(dst, 0x2400+r)
		case r == '\u2028' || r == '\u2029':
			dst = appendCodePoint(dst, r)
		default:
			dst = appendRune(dst, r)
		}
	}
	return dst
}

// isPrintable tells whether text is printable ASCII, as ids and names mostly are.
func isPrintable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7F {
			return false
		}
	}
	return true
}
