package model

import (
	"bytes"
	"encoding/base64"
	"errors"
	"iter"
)

// ErrNotBase64 tells that an image's data are no base64: some programs store a
// reference to a file of theirs.
var ErrNotBase64 = errors.New("image data are no base64")

// typeImage is the type of image blocks.
const typeImage = "image"

// Image is an image block of an entry.
type Image struct {
	N        int    // counts all image blocks of the entry, from 1
	MimeType string // as stored
	Data     Value  // base64, as stored
}

// Images yields the image blocks of e in the order in which they are shown: of
// its message's content, a custom message's content, a compaction's system
// message and retained tail, or an edit's replacement.
func Images(e Entry) iter.Seq[Image] {
	return func(yield func(Image) bool) {
		n := 0
		for content := range contents(e) {
			for b := range Blocks(content) {
				if b.Type != typeImage {
					continue
				}
				n++
				if !yield(Image{N: n, MimeType: b.MimeType.Text(), Data: b.Data}) {
					return
				}
			}
		}
	}
}

// contents yields the contents of e that may hold blocks.
func contents(e Entry) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		switch {
		case e.Kind.IsMessage():
			yield(e.Message.Get("content"))
		case e.Kind == KindCustomMessage:
			yield(e.Content)
		case e.Kind == KindContextEdit:
			yield(e.Replacement.Get("content"))
		case e.Kind == KindCompaction:
			if !yield(e.SystemMessage.Get("content")) {
				return
			}
			for message := range e.RetainedTail.Elements() {
				if !yield(message.Get("content")) {
					return
				}
			}
		}
	}
}

// mentionsImage tells whether line may hold the type of an image block: the word
// in quotes, or spelled with an escape (all its letters are \u0061 to \u006f).
func mentionsImage(line []byte) bool {
	return bytes.Contains(line, []byte(`"image"`)) || bytes.Contains(line, []byte(`\u006`))
}

// Size returns the exact number of bytes that Decode gives, without decoding;
// ok is false if the data are no base64 (some programs store a reference).
func (m Image) Size() (sizeBytes int64, ok bool) {
	digits, ok := m.digits(nil)
	return int64(digits) * 6 / 8, ok
}

// Decode returns the image file's bytes, or ErrNotBase64.
func (m Image) Decode() ([]byte, error) {
	text := make([]byte, 0, len(m.Data))
	_, ok := m.digits(&text)
	if !ok {
		return nil, ErrNotBase64
	}
	if len(text)%4 == 1 { // Six bits are no byte.
		text = text[:len(text)-1]
	}
	n, err := base64.RawStdEncoding.Decode(text, text)
	if err != nil {
		return nil, ErrNotBase64
	}
	return text[:n], nil
}

// digits counts the base64 digits of the data and appends them to text, unless
// that is nil, in the standard alphabet. As Node.js does, it takes the URL
// alphabet as well, skips white space and wants no padding.
func (m Image) digits(text *[]byte) (n int, ok bool) {
	raw, ok := m.Data.inner()
	if !ok {
		return 0, false
	}
	if bytes.IndexByte(raw, '\\') >= 0 { // JSON may write \/ and line breaks so.
		raw = appendUnescaped(nil, raw)
	}
	padded := false
	for _, c := range raw {
		digit := base64Digit[c]
		switch {
		case digit == skip:
		case c == '=':
			padded = true
		case digit == 0 || padded:
			return 0, false
		default:
			n++
			if text != nil {
				*text = append(*text, digit)
			}
		}
	}
	return n, true
}

// base64Digit maps what may stand in base64 to the digits of the standard
// alphabet, white space to skip, and all else to 0.
var base64Digit = func() (digits [256]byte) {
	for c := range digits {
		switch c := byte(c); {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '+', c == '/':
			digits[c] = c
		case c == '-':
			digits[c] = '+'
		case c == '_':
			digits[c] = '/'
		case isSpace(c):
			digits[c] = skip
		}
	}
	return digits
}()

const skip = ' '

// Ext returns the file name's extension without dot for the MIME type: png,
// jpg, gif, webp, svg, bmp, tiff, avif, else bin.
func (m Image) Ext() string {
	switch m.MimeType {
	case "image/png":
		return "png"
	case "image/jpeg", "image/jpg":
		return "jpg"
	case "image/gif":
		return "gif"
	case "image/webp":
		return "webp"
	case "image/svg+xml":
		return "svg"
	case "image/bmp":
		return "bmp"
	case "image/tiff":
		return "tiff"
	case "image/avif":
		return "avif"
	}
	return "bin"
}
