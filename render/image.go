package render

import (
	"math"
	"strconv"

	"github.com/pifs/pifs/model"
)

// image writes a link to an image's file, or says that there is none.
func (p *page) image(b *model.Block) {
	p.images++
	m := model.Image{N: p.images, MimeType: b.MimeType.Text(), Data: b.Data}
	size, ok := m.Size()
	p.gap()
	if !ok {
		p.buf = append(p.buf, '(')
		p.buf = appendMimeType(p.buf, m.MimeType)
		p.line(", not stored as base64)")
		return
	}
	p.buf = append(p.buf, "!["...)
	p.buf = appendMimeType(p.buf, m.MimeType)
	p.buf = append(p.buf, ", "...)
	p.buf = appendSize(p.buf, size)
	p.buf = append(p.buf, "]("...)
	p.links = append(p.links, int32(len(p.buf)))
	p.buf = appendPath(p.buf, model.FileName(p.imagesOf))
	p.buf = append(p.buf, '-')
	p.number(m.N)
	p.buf = append(p.buf, '.')
	p.buf = append(p.buf, m.Ext()...)
	p.line(")")
}

// appendMimeType appends the type as a word that cannot end the link's text.
func appendMimeType(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "image"...)
	}
	for _, c := range []byte(text) {
		if !isPlain(c) && c != '/' && c != '+' {
			c = '_'
		}
		dst = append(dst, c)
	}
	return dst
}

// appendSize appends a size in decimal units: 512 B, 3.4 kB, 34 kB, 1.2 MB.
func appendSize(dst []byte, sizeBytes int64) []byte {
	if sizeBytes < 1000 {
		return append(strconv.AppendInt(dst, sizeBytes, 10), " B"...)
	}
	size, units := float64(sizeBytes)/1000, "kMGTPE"
	for math.Round(size) >= 1000 {
		size, units = size/1000, units[1:]
	}
	precision := 0
	if size < 9.95 {
		precision = 1
	}
	dst = strconv.AppendFloat(dst, size, 'f', precision, 64)
	return append(dst, ' ', units[0], 'B')
}

// appendPath appends a file name as the destination of a link: what has a meaning
// there or in a URL, a percent sign above all, is written %XX.
func appendPath(dst []byte, name string) []byte {
	const digits = "0123456789ABCDEF"
	for _, c := range []byte(name) {
		if isPlain(c) || c >= 0x80 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

// isPlain tells whether c means nothing in Markdown's links and in URLs.
func isPlain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}
