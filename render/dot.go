package render

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isDotted tells whether text has a middle dot, in any of Markdown's spellings,
// that is not part of a word (as in Catalan).
func isDotted(text []byte) bool {
	return hasDot(text) || hasDotEntity(text)
}

// hasDot tells whether text has the character with no letter before or after.
func hasDot(text []byte) bool {
	const dot = "·"
	for {
		n := bytes.Index(text, []byte(dot))
		if n < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRune(text[:n])
		text = text[n+len(dot):]
		after, _ := utf8.DecodeRune(text)
		if !unicode.IsLetter(before) || !unicode.IsLetter(after) {
			return true
		}
	}
}

// hasDotEntity tells whether text has one of HTML's names of the character.
func hasDotEntity(text []byte) bool {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return false
		}
		text = text[n+1:]
		name, _, found := bytes.Cut(text[:min(len(text), 12)], []byte(";"))
		if !found {
			continue
		}
		switch string(name) {
		case "middot", "centerdot", "CenterDot":
			return true
		}
		if isDotNumber(string(name)) {
			return true
		}
	}
}

// isDotNumber tells whether name is the number of the character: #183 or #xB7.
func isDotNumber(name string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(name), "#")
	hex, isHex := strings.CutPrefix(name, "x")
	return ok && (isHex && strings.TrimLeft(hex, "0") == "b7" || strings.TrimLeft(name, "0") == "183")
}
