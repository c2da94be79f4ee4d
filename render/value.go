package render

import (
	"bytes"
	"strconv"

	"github.com/pifs/pifs/model"
)

// maxFlattened is how many levels of a value are shown member by member, and
// maxName how long a member's name may get by that; below and beyond it is shown
// as JSON, so that the output is never quadratic in the input.
const (
	maxFlattened = 8
	maxName      = 200
)

// field writes `name: v`, a string as its text, all else as compact JSON. A
// string with line breaks stands in a fence below its name. Where JSON would need
// escapes, the members are shown one by one, so that a search finds the text that
// was written. Nothing is written of null and undefined.
func (p *page) field(name string, v model.Value) {
	if v.Kind() > model.Null {
		p.name = append(p.name[:0], name...)
		p.namedValue(v, maxFlattened)
	}
}

// arguments writes the members of the object v as field does, nulls too; of
// anything else its JSON.
func (p *page) arguments(v model.Value) {
	if v.Kind() != model.Object {
		p.field("arguments", v)
		return
	}
	for key, member := range v.Members() {
		p.name = appendKey(p.name[:0], key)
		p.namedValue(member, maxFlattened)
	}
}

// namedValue writes v under p.name, at most levels deep.
func (p *page) namedValue(v model.Value, levels int) {
	start, end := len(p.buf), len(p.name)
	p.buf = append(append(p.buf, p.name...), ": "...)
	text := len(p.buf)
	kind := v.Kind()
	switch {
	case kind == model.String:
		p.buf = appendString(p.buf, v)
	case kind < model.Array || levels == 0 || end > maxName || bytes.IndexByte(v, '\\') < 0:
		p.buf = appendJSON(p.buf, v)
	default:
		p.buf = p.buf[:start]
		p.flatten(v, levels)
		return
	}
	switch {
	case len(p.buf) == text:
		p.buf = append(p.buf, `""`...)
	case kind == model.String && bytes.IndexByte(p.buf[text:], '\n') >= 0:
		p.buf[text-1] = '\n'
		p.fenceFrom(text, "")
	default:
		p.escapeHeadings(text)
	}
	p.endLine()
}

// flatten writes the members or elements of v. It goes no deeper than
// maxFlattened levels.
func (p *page) flatten(v model.Value, levels int) {
	end := len(p.name)
	if v.Kind() == model.Object {
		for key, member := range v.Members() {
			p.name = appendKey(append(p.name, '.'), key)
			p.namedValue(member, levels-1)
			p.name = p.name[:end]
		}
		return
	}
	n := 0
	for element := range v.Elements() {
		p.name = append(strconv.AppendInt(append(p.name, '['), int64(n), 10), ']')
		p.namedValue(element, levels-1)
		p.name = p.name[:end]
		n++
	}
}

// appendKey appends the name of a member: as it is if it is a word, which means
// nothing else at the beginning of a line of Markdown, else as JSON.
func appendKey(dst []byte, key model.Value) []byte {
	text := inside(key)
	for i, c := range text {
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
		if !isLetter && (i == 0 || (c < '0' || c > '9') && c != '-') {
			text = nil
			break
		}
	}
	if len(text) == 0 {
		return appendJSON(dst, key)
	}
	return append(dst, text...)
}
