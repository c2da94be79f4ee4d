package render

import (
	"bytes"
	"strings"
)

// A message may leave a code fence or an HTML block open, which to a Markdown
// parser then goes on to the end of the file. openAtEnd follows the blocks of a
// text as CommonMark (0.31) defines them, at the top level only: what is open in
// a quote or a list item ends with that, and our next block ends those.

// lineBefore is what the line before was, as far as it matters to the next one.
type lineBefore uint8

const (
	beforeNothing   lineBefore = iota // blank, or a block of one line
	beforeParagraph                   // a paragraph that the next line may continue
	beforeContainer                   // in a quote or an item: the next line may be part of a paragraph there
	beforeMaybe                       // one of the two
)

// blocks is the state of a Markdown parser between two lines.
type blocks struct {
	fence    byte // the fence that is open, or 0
	fenceLen int
	html     int // the kind of HTML block that is open, or 0
	htmlTag  string
	maybe    bool // that HTML block may not be one

	before    lineBefore
	item      int  // the column at which the open list item's content begins, or 0
	itemMaybe bool // the item may have ended
	itemEmpty bool // the item has no content yet

	unsure bool // it takes a whole parser to know what is open
}

// openAtEnd returns the line that closes what text leaves open, "" if nothing
// is. sure is false where this cannot be told.
func openAtEnd(text []byte) (closing string, sure bool) {
	if !mayOpen(text) {
		return "", true
	}
	var b blocks
	for len(text) > 0 && !b.unsure {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		b.next(line)
		text = rest
	}
	return b.closing(), !b.unsure
}

// mayOpen is a quick test: nothing can be open if it is false.
func mayOpen(text []byte) bool {
	return bytes.IndexByte(text, '<') >= 0 || bytes.Contains(text, []byte("```")) || bytes.Contains(text, []byte("~~~"))
}

// closing returns the line that ends what is open.
func (b *blocks) closing() string {
	if b.fence != 0 {
		return strings.Repeat(string(b.fence), b.fenceLen)
	}
	switch b.html {
	case htmlScript:
		return "</" + b.htmlTag + ">"
	case htmlComment:
		return "-->"
	case htmlInstruction:
		return "?>"
	case htmlDeclaration:
		return ">"
	case htmlCDATA:
		return "]]>"
	}
	return ""
}

// next takes the next line, without its newline.
func (b *blocks) next(line []byte) {
	indent, body := indentation(line, 0)
	switch {
	case b.fence != 0:
		if indent < 4 && isFenceEnd(body, b.fence, b.fenceLen) {
			b.fence = 0
		}
	case b.html != 0:
		b.nextInHTML(line, body)
	case len(body) == 0:
		b.before = beforeNothing
		if b.itemEmpty { // An item may begin with one blank line, not with two.
			b.item, b.itemEmpty = 0, false
		}
	case b.item > 0 && indent >= b.item:
		b.nextInItem(indent, body)
	case indent >= 4:
		b.nextIndented()
	default:
		b.nextAtTop(indent, body)
	}
}

// nextInHTML takes a line of an HTML block.
func (b *blocks) nextInHTML(line, body []byte) {
	switch {
	case b.html >= htmlElement && len(body) == 0, b.html < htmlElement && endsHTML(line, b.html):
		b.html, b.before = 0, beforeNothing
		b.itemMaybe, b.maybe = b.itemMaybe || b.maybe, false
	case b.maybe && (mayOpenBlock(body) || markerLen(body) > 0):
		b.unsure = true
	}
}

// nextInItem takes a line that is part of the list item, if that is still open.
func (b *blocks) nextInItem(indent int, body []byte) {
	b.itemEmpty = false
	b.before = beforeContainer
	if b.itemMaybe {
		b.before = beforeMaybe
		b.unsure = indent < 4 && mayOpenBlock(body)
	}
}

// nextIndented takes a line that is code, or continues a paragraph.
func (b *blocks) nextIndented() {
	b.endItemUnless(b.before == beforeContainer || b.before == beforeMaybe)
}

// endItemUnless ends the list item, or makes it doubtful if the line may be a
// paragraph's that began in it.
func (b *blocks) endItemUnless(lazy bool) {
	b.itemEmpty = false
	if !lazy {
		b.item, b.itemMaybe = 0, false
		return
	}
	b.itemMaybe = b.item > 0
	b.before = beforeMaybe
}

// nextAtTop takes a line that begins a block at the top level, or is text.
func (b *blocks) nextAtTop(indent int, body []byte) {
	switch kind, sure := htmlKind(body); {
	case opensFence(body):
		b.fence = body[0]
		b.fenceLen = len(body) - len(bytes.TrimLeft(body, string(body[:1])))
		b.endItemUnless(false)
		b.before = beforeNothing
	case kind != 0 && (kind != htmlAnyTag || b.before != beforeParagraph):
		b.openHTML(kind, sure, body)
	case body[0] == '>':
		b.endItemUnless(false)
		b.before = beforeContainer
	case isATX(body) || isBreak(body) || b.isUnderline(body):
		b.endItemUnless(false)
		b.before = beforeNothing
	default:
		if column := b.itemContent(indent, body); column > 0 {
			b.item, b.itemMaybe = column, b.before == beforeMaybe && !alwaysBegins(body)
			b.itemEmpty = column == indent+markerLen(body)+1 && isBlank(body[markerLen(body):])
			b.before = beforeContainer
			return
		}
		b.endItemUnless(b.before == beforeContainer || b.before == beforeMaybe)
		if b.before != beforeMaybe {
			b.before = beforeParagraph
		}
	}
}

// openHTML takes the first line of an HTML block; sure is false if it may be
// none.
func (b *blocks) openHTML(kind int, sure bool, body []byte) {
	sure = sure && (kind != htmlAnyTag || b.before == beforeNothing)
	ends := endsHTML(body, kind)
	switch {
	case !sure && ends:
		b.before = beforeMaybe
		b.itemMaybe = b.item > 0
		return
	case !sure && kind < htmlElement:
		b.unsure = true
		return
	case sure:
		b.endItemUnless(false)
	}
	b.before = beforeNothing
	if ends {
		return
	}
	b.html, b.maybe = kind, !sure
	if kind == htmlScript {
		b.htmlTag = string(htmlStart[kind].FindSubmatch(body)[1])
	}
}

// isUnderline tells whether body makes a heading of the paragraph before it.
func (b *blocks) isUnderline(body []byte) bool {
	if b.before != beforeParagraph || body[0] != '=' && body[0] != '-' {
		return false
	}
	return isBlank(bytes.TrimLeft(body, string(body[:1])))
}

// itemContent returns the column at which the content of the list item begins
// that body opens, 0 if it opens none.
func (b *blocks) itemContent(indent int, body []byte) int {
	n := markerLen(body)
	if n == 0 || b.before == beforeParagraph && !alwaysBegins(body) {
		return 0
	}
	column, content := indentation(body[n:], indent+n)
	if spaces := column - indent - n; len(content) == 0 || spaces > 4 {
		return indent + n + 1
	}
	return column
}
