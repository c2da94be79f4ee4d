package store

import "github.com/pifs/pifs/model"

// oddities are what is noted for the first of the lines that have it, and not for
// each: a whole file is like that.
type oddities struct{ crlf, noID, noType, badTime bool }

// noteHeader takes note of what is odd about the header.
func (x *index) noteHeader(h *head) {
	if h.bom {
		x.note("bom", "the file begins with a byte order mark, which pi refuses")
	}
	if model.ParseTime(h.header.Timestamp) == model.NoTime {
		x.noteOnce(&x.odd.badTime, "bad-time", "the header has no valid timestamp")
	}
}

// noteFields takes note of what is odd about an entry.
func (x *index) noteFields(f *model.Fields) {
	if !f.HasID {
		x.noteOnce(&x.odd.noID, "no-id", "entries have no id, from here on; they are called by their lines")
	}
	if f.Kind == model.KindUnknown && f.Word == "" {
		x.noteOnce(&x.odd.noType, "no-type", "entries have no type, from here on")
	}
	if f.Time == model.NoTime {
		x.noteOnce(&x.odd.badTime, "bad-time", "entries have no valid timestamp, from here on")
	}
}

// noteOnce takes note of something odd about the line that is being taken, unless
// that was done for an earlier line.
func (x *index) noteOnce(done *bool, code, message string) {
	if !*done {
		*done = true
		x.note(code, message)
	}
}

func (x *index) note(code, message string) {
	x.oddities = append(x.oddities, Warning{x.lines + 1, code, message})
}
