package render

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
)

// Our headings are `## word · id · time` for entries and messages and `### tool
// · call id` for tool calls. So a line of a message looks like one of them if a
// Markdown parser or a reader may take it for a heading of level 2 or 3 that
// holds a middle dot: after `##` or `###`, wherever the line stands in quotes and
// lists, or above a line of dashes. Such a line gets a backslash before the
// number signs or the dashes. Other headings of messages stay what they are.
//
// What stands in a code fence of ours is no heading to a Markdown parser and
// keeps its bytes.

// separator stands between the parts of a heading.
const separator = " · "

// heading begins the heading of an entry or message; parts follow.
func (p *page) heading(word, id string, ms int64) {
	p.gap()
	p.buf = append(p.buf, "## "...)
	p.buf = appendLine(p.buf, word)
	p.buf = append(p.buf, separator...)
	p.buf = appendLine(p.buf, id)
	p.buf = append(p.buf, separator...)
	if ms == model.NoTime {
		p.buf = append(p.buf, "no time"...)
	} else {
		p.buf = model.AppendTime(p.buf, ms)
	}
}

// part adds a part to the heading that is being written.
func (p *page) part(text string) {
	if text != "" {
		p.buf = appendLine(append(p.buf, separator...), text)
	}
}

// partOf adds v to the heading, as plain gives it.
func (p *page) partOf(v model.Value) {
	if !isNothing(v) {
		p.buf = appendPlain(append(p.buf, separator...), v)
	}
}

// isNothing tells whether plain gives nothing.
func isNothing(v model.Value) bool {
	return v.Kind() <= model.Null || v.Kind() == model.String && len(inside(v)) == 0
}

// appendPlain appends what plain gives on one line.
func appendPlain(dst []byte, v model.Value) []byte {
	if text := inside(v); len(text) > 0 && cleanRun(text) == len(text) {
		return append(dst, text...)
	}
	return appendLine(dst, plain(v))
}

// plain returns the text of the string v, the JSON of another value, "" for
// null and undefined.
func plain(v model.Value) string {
	switch v.Kind() {
	case model.Undefined, model.Null:
		return ""
	case model.String:
		return v.Text()
	}
	return string(v.AppendCompact(nil))
}

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

// escapeHeadings puts a backslash into the lines from start on that look like a
// heading of ours.
func (p *page) escapeHeadings(start int) {
	if !isDotted(p.buf[start:]) {
		return
	}
	p.marks = p.marks[:0]
	paragraphDotted := false // Since the last blank line there was a dot.
	for from := start; from < len(p.buf); {
		line := p.buf[from:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		body := len(line) - len(bytes.TrimLeft(line, " \t>"))
		switch {
		case body == len(line):
			paragraphDotted = false
		case paragraphDotted && isDashes(line[body:]):
			p.marks = append(p.marks, int32(from+body))
		case isDotted(line):
			p.markNumberSigns(line, from)
			paragraphDotted = true
		}
		from += len(line) + 1
	}
	p.insertAtMarks('\\')
}

// isDashes tells whether text underlines a heading of level 2.
func isDashes(text []byte) bool {
	return text[0] == '-' && len(bytes.TrimRight(bytes.TrimLeft(text, "-"), " \t")) == 0
}

// markNumberSigns marks the places in the line at from, which has a dot, where a
// heading may begin: first of all in the line, or after one of Unicode's line
// breaks.
func (p *page) markNumberSigns(line []byte, from int) {
	for len(line) > 0 {
		part := line[:unicodeLine(line)]
		body := len(part) - len(bytes.TrimLeft(part, " \t>*+-.)0123456789"))
		if isHeading(part[body:]) {
			p.marks = append(p.marks, int32(from+body))
		}
		line, from = line[len(part):], from+len(part)
	}
}

// unicodeLine returns the length of what stands before and in the first U+2028
// or U+2029 of text.
func unicodeLine(text []byte) int {
	for i := 0; ; i += 2 {
		n := bytes.Index(text[i:], []byte("\u2028")[:2])
		if n < 0 || i+n+2 == len(text) {
			return len(text)
		}
		i += n
		if c := text[i+2]; c == 0xA8 || c == 0xA9 {
			return i + 3
		}
	}
}

// isHeading tells whether text begins as a heading of level 2 or 3 does.
func isHeading(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("##"))
	rest = bytes.TrimPrefix(rest, []byte("#"))
	return ok && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t')
}

// insertAtMarks puts c before each marked offset.
func (p *page) insertAtMarks(c byte) {
	if len(p.marks) == 0 {
		return
	}
	first := p.marks[0]
	p.spare = append(p.spare[:0], p.buf[first:]...)
	p.buf = p.buf[:first]
	for i, mark := range p.marks {
		end := len(p.spare)
		if i+1 < len(p.marks) {
			end = int(p.marks[i+1] - first)
		}
		p.buf = append(p.buf, c)
		p.buf = append(p.buf, p.spare[mark-first:end]...)
	}
}
