package render

import "github.com/pifs/pifs/model"

// separator stands between the parts of a heading: `## word · id · time` for
// entries and messages, `### tool · call id` for tool calls.
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
