package render

import "github.com/pifs/pifs/model"

// A Fragment is how one entry stands in context.md, transcript.md and
// entries/<id>.md. The three differ only in where the images directory is, seen
// from them, so that is put in when the text is read.
type Fragment struct {
	Text  []byte
	Links []int32 // offsets in Text, ascending, at which the images directory belongs
}

// Size returns the length of the fragment with the images directory dir.
func (f Fragment) Size(dir string) int64 {
	return int64(len(f.Text)) + int64(len(f.Links))*int64(len(dir))
}

// AppendTo appends the fragment with dir put in at each link. dir is relative to
// the file and ends in a slash.
func (f Fragment) AppendTo(dst []byte, dir string) []byte {
	from := int32(0)
	for _, link := range f.Links {
		dst = append(dst, f.Text[from:link]...)
		dst = append(dst, dir...)
		from = link
	}
	return append(dst, f.Text[from:]...)
}

// Place is what an entry's fragment needs to know beside its body.
type Place struct {
	ID     string       // what the tree calls it
	Parent string       // its parent's id if that is not the entry before it, "root" if it is a root but not the first entry, else ""
	Time   int64        // Unix milliseconds or model.NoTime
	Edit   *model.Entry // the context_edit that changes it in this context, nil in the transcript
	EditID string       // what the tree calls Edit; if "", that is its id
	Note   string       // a reason to show, such as "id used again on line 7"; "" for none
}

// Entry renders e of any kind: a heading, its text, and a blank line at the end.
func Entry(e model.Entry, at Place) (f Fragment) {
	onPage(func(p *page) {
		p.place(&e, at)
		f = p.fragment()
	})
	return f
}

// AppendEntry is Entry for who keeps many fragments in one buffer: it appends the text
// to dst, and returns the links as offsets from where that begins.
func AppendEntry(dst []byte, e *model.Entry, at Place) (text []byte, links []int32) {
	onPage(func(p *page) {
		p.place(e, at)
		text = append(dst, p.buf...)
		links = append(links, p.links...)
	})
	return text, links
}

// place writes the entry e at its place.
func (p *page) place(e *model.Entry, at Place) {
	p.imagesOf = at.ID
	p.remarks = append(p.remarks, at.Note)
	if at.Edit != nil {
		p.editBy(at)
	}
	if e.Kind.IsMessage() {
		p.message(e.Message, at)
	} else {
		p.entry(e, at)
	}
	p.gap()
}

// Measure returns the length of Entry's text and the number of its links, for who
// needs a file's size before its content. It is as much work as Entry, but
// leaves nothing behind.
func Measure(e model.Entry, at Place) (textBytes, links int) {
	onPage(func(p *page) {
		p.place(&e, at)
		textBytes, links = len(p.buf), len(p.links)
	})
	return textBytes, links
}

// Damaged renders a line that is no entry, its text in a fence.
func Damaged(line int, text []byte) (f Fragment) {
	onPage(func(p *page) {
		p.buf = append(p.buf, "## damaged line"+separator+"line "...)
		p.number(line)
		p.buf = append(p.buf, "\n\n"...)
		start := len(p.buf)
		p.buf = appendClean(p.buf, model.Clean(text), false)
		p.fenceFrom(start, "")
		p.gap()
		f = p.fragment()
	})
	return f
}
