package render

import "bytes"

// A line of a message looks like a heading of ours if a Markdown parser or a
// reader may take it for one of level 2 or 3 that holds a middle dot: after `##`
// or `###`, wherever the line stands in quotes and lists, or above a line of
// dashes. Such a line gets a backslash before the number signs or the dashes.
// Other headings of messages stay what they are.
//
// What stands in a code fence of ours is no heading to a Markdown parser and
// keeps its bytes.

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
