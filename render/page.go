package render

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/pifs/pifs/model"
)

// A page is a fragment that is being written: blocks of Markdown, each of which
// begins in the first column after a blank line, so that none is taken as part
// of a list, a quote or a paragraph before it.
type page struct {
	buf   []byte
	links []int32
	spare []byte  // for what has to be looked at before it is written
	marks []int32 // offsets in buf, see insertAt
	name  []byte  // of the value that is being written, see field

	blocks []model.Block // of the message that is being written

	imagesOf string   // the id of the entry whose image blocks are shown
	images   int      // how many of those have been shown
	remarks  []string // what to say below the next heading
	edit     edit
}

// pages keeps the buffers of finished pages for the next ones.
var pages = sync.Pool{New: func() any { return new(page) }}

// keptBytes is how large a buffer may be to be kept: ordinary entries stay far
// below, and a line of 100 MiB must not stay in memory.
const keptBytes = 1 << 20

// onPage calls write with an empty page.
func onPage(write func(p *page)) {
	p := pages.Get().(*page)
	write(p)
	p.reset()
	if cap(p.buf)+cap(p.spare)+4*cap(p.marks)+256*cap(p.blocks) <= keptBytes {
		pages.Put(p)
	}
}

// fragment returns what is on p. Its text is made to measure, unlike what
// bytes.Clone returns: fragments are kept.
func (p *page) fragment() Fragment {
	f := Fragment{Text: make([]byte, len(p.buf))}
	copy(f.Text, p.buf)
	if len(p.links) > 0 {
		f.Links = slices.Clone(p.links)
	}
	return f
}

// reset empties p, but for its buffers.
func (p *page) reset() {
	p.buf, p.spare, p.name = p.buf[:0], p.spare[:0], p.name[:0]
	p.links, p.marks = p.links[:0], p.marks[:0]
	p.imagesOf, p.images, p.remarks = "", 0, p.remarks[:0]
	p.edit = edit{}
	clear(p.blocks) // They hold on to the line.
	p.blocks = p.blocks[:0]
}

// gap ends the block before: what follows stands after a blank line.
func (p *page) gap() {
	if !bytes.HasSuffix(p.buf, []byte("\n\n")) && len(p.buf) > 0 {
		p.buf = append(p.buf, '\n')
	}
}

// endLine ends the line that is being written, if it has not ended.
func (p *page) endLine() {
	if n := len(p.buf); n > 0 && p.buf[n-1] != '\n' {
		p.buf = append(p.buf, '\n')
	}
}

// text writes the string v as the Markdown that it mostly is.
func (p *page) text(v model.Value) {
	p.gap()
	start := len(p.buf)
	p.buf = appendString(p.buf, v)
	if len(p.buf) == start {
		return
	}
	p.escapeHeadings(start)
	closing, sure := openAtEnd(p.buf[start:])
	if !sure {
		p.fenceFrom(start, "markdown")
		return
	}
	p.endLine()
	p.buf = append(p.buf, closing...)
	p.endLine()
}

// quote writes the string v as a block quote. Whatever is open at its end is
// closed by the end of the quote.
func (p *page) quote(v model.Value) {
	p.gap()
	start := len(p.buf)
	p.buf = appendString(p.buf, v)
	p.escapeHeadings(start)
	p.spare = append(p.spare[:0], p.buf[start:]...)
	p.buf = p.buf[:start]
	for rest := p.spare; len(rest) > 0; {
		line := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			line = rest[:n+1]
		}
		rest = rest[len(line):]
		p.buf = append(p.buf, '>')
		if line[0] != '\n' {
			p.buf = append(p.buf, ' ')
		}
		p.buf = append(p.buf, line...)
	}
	p.endLine()
}

// fence writes the string v in a code fence.
func (p *page) fence(v model.Value) {
	start := len(p.buf)
	p.buf = appendString(p.buf, v)
	p.fenceFrom(start, "")
}

// json writes v as compact JSON in a code fence.
func (p *page) json(v model.Value) {
	p.gap()
	start := len(p.buf)
	p.buf = appendJSON(p.buf, v)
	p.fenceFrom(start, "json")
}

// fenceFrom puts what has been written from start on, at the beginning of a
// line, in a code fence that is longer than any run of backquotes inside. A
// Markdown parser gives the bytes back; where they do not end in a newline, with
// one more.
func (p *page) fenceFrom(start int, info string) {
	ticks := max(3, longestRun(p.buf[start:], '`')+1)
	opening := ticks + len(info) + 1
	size := len(p.buf) - start
	p.buf = slices.Grow(p.buf, opening+ticks+2)[:len(p.buf)+opening]
	copy(p.buf[start+opening:], p.buf[start:start+size])
	fill(p.buf[start:start+ticks], '`')
	copy(p.buf[start+ticks:], info)
	p.buf[start+opening-1] = '\n'
	p.endLine()
	p.buf = p.buf[:len(p.buf)+ticks]
	fill(p.buf[len(p.buf)-ticks:], '`')
	p.buf = append(p.buf, '\n')
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text []byte, c byte) int {
	longest := 0
	for {
		n := bytes.IndexByte(text, c)
		if n < 0 {
			return longest
		}
		text = text[n:]
		run := 1
		for run < len(text) && text[run] == c {
			run++
		}
		longest = max(longest, run)
		text = text[run:]
	}
}

// line writes a line of our own words.
func (p *page) line(text string) {
	p.buf = append(append(p.buf, text...), '\n')
}

// number appends n.
func (p *page) number(n int) {
	p.buf = strconv.AppendInt(p.buf, int64(n), 10)
}
