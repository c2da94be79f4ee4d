// Package writeback adds to session files what users change, as pi would, and
// loses nothing: names, labels, forks, branches, migration, deletion.
package writeback

import (
	"github.com/pifs/pifs/store"
)

// A Change is one entry to append.
type Change struct {
	// Name, if not nil, is the session's new display name ("" clears it).
	Name *string
	// Target is the id of the entry to label with Label ("" clears it).
	Target, Label string
}

// Options of an append.
type Options struct {
	NoSync bool // do not wait for the disk
}

// Append lets plan decide, from the session as it is under the lock, what to
// append, and appends it as one write. Changes that set what is so already are
// left out; if none is left nothing is written.
func Append(s *store.Session, o Options, plan func(v *store.View) ([]Change, error)) error {
	panic("todo")
}
