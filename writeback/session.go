package writeback

import (
	"regexp"
	"slices"

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

	persisted bool   // it has a file, or will have
	path      string // "" if it has none
	born      bool   // the file is there
	readOnly  bool   // of a version that is not written

	header  model.Value
	entries []model.Value // in file order
	lines   int           // of the file
	talked  bool          // there is a user or assistant message

	builder *tree.Builder
	tree    *tree.Tree
	leaf    int
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

// load puts what a file holds in the place of what s held.
func (s *Session) load(c *contents) {
	s.readOnly = c.version == 0
	s.reset(c.header)
	s.entries = slices.Grow(s.entries, len(c.entries))
	for _, e := range c.entries {
		s.remember(e)
	}
	s.tree = s.builder.Tree()
	s.leaf = s.tree.Leaf()
}

// reset empties s but for a header.
func (s *Session) reset(header model.Value) {
	s.header, s.entries, s.lines, s.talked = header, nil, 1, false
	s.builder = new(tree.Builder)
	s.tree = s.builder.Tree()
	s.leaf = tree.None
}

// remember takes an entry that stands in the file, or will.
func (s *Session) remember(e entry) int {
	s.lines = e.line
	s.entries = append(s.entries, e.raw)
	s.talked = s.talked || talk(e.fields)
	return s.builder.Add(e.line, e.fields)
}

// talk tells whether an entry makes a session worth a file.
func talk(f model.Fields) bool {
	return f.Kind == model.KindUser || f.Kind == model.KindAssistant
}
