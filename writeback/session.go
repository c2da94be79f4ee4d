package writeback

import (
	"os"
	"regexp"

	"github.com/google/uuid"
	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// A Session is pi's SessionManager: a session with a current position, the leaf,
// that entries are appended to. It is made by [Create], [Open], [ContinueRecent],
// [InMemory] or [ForkFrom].
//
// Its methods are pi's, under shorter names where pi's begin with "get", and with
// pi's rules: a file is born only with the session's first user or assistant
// message; appending moves the leaf; [Session.Branch] and [Session.ResetLeaf] move
// it in memory only. Like a running pi a Session does not see what others append
// to its file, and its own entries do no harm to theirs. It is more careful than pi
// where that costs nothing: a call that fails changes nothing, a file that is gone
// is not made anew without a header, and opening an old version keeps damaged lines
// and gives the ids that pifs shows.
//
// A Session is not safe for concurrent use. JSON values passed to it are checked
// and stored without white space; nil stands for JavaScript's undefined and is
// left out. Returned values must not be changed.
type Session struct {
	options Options
	cwd     string
	dir     string

	persisted bool        // it has a file, or will have
	path      string      // "" if it has none
	born      bool        // the file is there
	perm      os.FileMode // of a file that is to be born; 0 is newPerm

	*contents
	tree *tree.Tree // of the entries
	leaf int        // the current position
}

// SessionOptions are what the constructors of a [Session] may be told.
type SessionOptions struct {
	Options
	// Dir is the directory for new files, pi's sessionDir. Default:
	// [DefaultSessionDir] of the session's cwd, for Open that of the file.
	Dir string
	// ID and ParentSession are for the header of a new session, see [NewOptions].
	ID, ParentSession string
	// Cwd is taken by Open instead of the header's.
	Cwd string
}

// NewOptions are what a new session's header says.
type NewOptions struct {
	ID            string // default: a new UUID of version 7
	ParentSession string // path of the session it comes from; default: none
}

func (o SessionOptions) header() NewOptions {
	return NewOptions{ID: o.ID, ParentSession: o.ParentSession}
}

// sessionID is what pi takes as a session's id.
var sessionID = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// newHeader returns the header of a new session, and its id and time as they make
// up the name of its file.
func newHeader(cwd string, o NewOptions) (header model.Value, fileName string, err error) {
	if o.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, "", err
		}
		o.ID = id.String()
	}
	if !sessionID.MatchString(o.ID) {
		return nil, "", ErrSessionID
	}
	timestamp := now()
	b := new(model.Builder).
		Text("type", "session").
		Float("version", migrate.Version).
		Text("id", o.ID).
		Text("timestamp", timestamp).
		Text("cwd", cwd)
	if o.ParentSession != "" {
		b.Text("parentSession", o.ParentSession)
	}
	return b.Object(), fileTime.ReplaceAllLiteralString(timestamp, "-") + "_" + o.ID + ".jsonl", nil
}

// fileTime is what cannot stand in a file name everywhere.
var fileTime = regexp.MustCompile(`[:.]`)

// take makes c what s holds.
func (s *Session) take(c *contents) {
	s.contents = c
	s.tree = c.builder.Tree()
	s.leaf = s.tree.Leaf()
}

// headed returns the contents of a new session.
func headed(header model.Value) *contents {
	return &contents{header: header, version: migrate.Version, line: 1}
}
