package render

import (
	"bytes"
	"regexp"
)

// Kinds of HTML blocks, numbered as CommonMark does. Those up to htmlCDATA end
// where their closing text stands, the others at a blank line.
const (
	htmlScript = 1 + iota
	htmlComment
	htmlInstruction
	htmlDeclaration
	htmlCDATA
	htmlElement
	htmlAnyTag
)

// htmlStart has for each kind of HTML block how its first line begins.
var htmlStart = [...]*regexp.Regexp{
	htmlScript:      regexp.MustCompile(`(?i)^<(script|pre|style|textarea)(?:[ \t>]|/>|$)`),
	htmlComment:     regexp.MustCompile(`^<!--`),
	htmlInstruction: regexp.MustCompile(`^<\?`),
	htmlDeclaration: regexp.MustCompile(`^<![A-Za-z]`),
	htmlCDATA:       regexp.MustCompile(`^<!\[CDATA\[`),
	htmlElement: regexp.MustCompile(`(?i)^<(?:/ *)?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|` +
		`colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|` +
		`header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|` +
		`section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|/?>|$)`),
	htmlAnyTag: regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*` +
		`(?:[ \t]*=[ \t]*(?:[^ \t"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*[ \t]*/?|/ *[A-Za-z][A-Za-z0-9-]*[ \t]*)>[ \t]*$`),
}

// doubtful has where CommonMark, its older versions and parsers in use take a
// first line differently.
var doubtful = [...]*regexp.Regexp{
	htmlScript:      regexp.MustCompile(`^<[A-Za-z]+/`),
	htmlDeclaration: regexp.MustCompile(`^<![a-z]`),
	htmlElement:     regexp.MustCompile(`^<(?:/ |/?[A-Za-z0-9]+\t|/?(?i:meta))`),
	htmlAnyTag:      regexp.MustCompile(`\t|^</ |^</(?i:pre|script|style|textarea)\b`),
}

// maxTag is how long a line may be that is searched for a tag of any name.
const maxTag = 4096

// htmlKind returns the kind of HTML block that body opens, 0 if none; sure is
// false where parsers differ.
func htmlKind(body []byte) (kind int, sure bool) {
	if len(body) < 2 || body[0] != '<' {
		return 0, true
	}
	for kind, start := range htmlStart {
		if kind == htmlAnyTag && len(body) > maxTag {
			return kind, false
		}
		if start != nil && start.Match(body) {
			return kind, doubtful[kind] == nil || !doubtful[kind].Match(body)
		}
	}
	return 0, true
}

// mayOpenBlock tells whether body may begin a block that goes on over blocks
// which follow.
func mayOpenBlock(body []byte) bool {
	kind, _ := htmlKind(body)
	return kind != 0 || opensFence(body)
}

// endsHTML tells whether an HTML block ends on line.
func endsHTML(line []byte, kind int) bool {
	switch kind {
	case htmlScript:
		return scriptEnd.Match(line)
	case htmlComment:
		return bytes.Contains(line, []byte("-->"))
	case htmlInstruction:
		return bytes.Contains(line, []byte("?>"))
	case htmlDeclaration:
		return bytes.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}

var scriptEnd = regexp.MustCompile(`(?i)</(?:script|pre|style|textarea)>`)
