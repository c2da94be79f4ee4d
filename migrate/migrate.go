// Package migrate turns sessions of version 1 and 2 into version 3, as pi does
// when it opens them, without touching a file.
//
// pi draws random ids for version 1. Here the id of an entry follows from the
// session's id and the entry's place, so that it is the same at every reading.
package migrate

import "github.com/pifs/pifs/model"

// Version is the version of the format that pi writes.
const Version = 3

// VersionOf returns a header's version: 1 if it has none. ok is false if it is
// no number or higher than Version: such a file is not migrated, and pifs only
// reads it.
func VersionOf(h model.Header) (version int, ok bool) { panic("todo") }

// A Migrator changes the fields of a session's lines in file order.
type Migrator struct{}

// New returns the migrator of a session whose header is h.
func New(h model.Header) *Migrator { panic("todo") }

// Skip takes note of a line that pi parses though it is no entry: a second
// header, or a value that is no object. It counts in version 1's indexes.
func (m *Migrator) Skip(v model.Value) { panic("todo") }

// Fields changes the next entry's fields in place. It does nothing to a session
// that needs no migration.
func (m *Migrator) Fields(f *model.Fields) { panic("todo") }

// Links is what version 1 lacks: the entry's id, its parent's and, for a
// compaction, the entry that firstKeptEntryIndex meant. Nil for none.
type Links struct {
	ID, ParentID, FirstKeptEntryID model.Value
}

// Entry returns the entry v of a session of the given version as pi holds it.
// links are used for version 1 only.
func Entry(v model.Value, version int, links Links) model.Value { panic("todo") }

// Header returns the header v with version 3.
func Header(v model.Value) model.Value { panic("todo") }
