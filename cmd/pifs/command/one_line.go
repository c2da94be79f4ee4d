package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// oneLine makes text from a session fit for a line on a terminal: white space
// becomes single spaces, what does not print U+FFFD, so that no escape sequence
// gets through, and more than width characters are cut.
func oneLine(text string, width int) string {
	// Four bytes are the longest character: what follows can't be shown.
	if limit := 8 * width; len(text) > limit {
		text = text[:limit]
	}
	text = strings.Join(strings.Fields(text), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, text)
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}
