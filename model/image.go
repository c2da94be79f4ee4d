package model

import "iter"

// Image is an image block of an entry.
type Image struct {
	N        int    // counts all image blocks of the entry, from 1
	MimeType string // as stored
	Data     Value  // base64, as stored
}

// Images yields the image blocks of e in the order in which they are shown: of
// its message's content, a custom message's content, a compaction's system
// message and retained tail, or an edit's replacement.
func Images(e Entry) iter.Seq[Image] { panic("todo") }

// Size returns the exact number of bytes that Decode gives, without decoding;
// ok is false if the data are no base64 (some programs store a reference).
func (m Image) Size() (sizeBytes int64, ok bool) { panic("todo") }

// Decode returns the image file's bytes.
func (m Image) Decode() ([]byte, error) { panic("todo") }

// Ext returns the file name's extension without dot for the MIME type: png,
// jpg, gif, webp, svg, bmp, tiff, avif, else bin.
func (m Image) Ext() string { panic("todo") }
