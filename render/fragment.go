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
func (f Fragment) Size(dir string) int64 { panic("todo") }

// AppendTo appends the fragment with dir put in at each link. dir is relative to
// the file and ends in a slash.
func (f Fragment) AppendTo(dst []byte, dir string) []byte { panic("todo") }

// Place is what an entry's fragment needs to know beside its body.
type Place struct {
	ID     string       // what the tree calls it
	Parent string       // its parent's id if that is not the entry before it, "root" if it is a root but not the first entry, else ""
	Time   int64        // Unix milliseconds or model.NoTime
	Edit   *model.Entry // the context_edit that changes it in this context, nil in the transcript
	Note   string       // a reason to show, such as "id used again on line 7"; "" for none
}

// Entry renders e of any kind: a heading, its text, and a blank line at the end.
func Entry(e model.Entry, p Place) Fragment { panic("todo") }

// InContext tells whether the fragment of e belongs in a context.md as step n of
// its context (see tree.Messages): whether the model is sent something of it.
func InContext(e model.Entry, n int, edit *model.Entry) bool { panic("todo") }

// Damaged renders a line that is no entry, its text in a fence.
func Damaged(line int, text []byte) Fragment { panic("todo") }
