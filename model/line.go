package model

// Clean returns line as pi decodes it: bytes that are no UTF-8 become U+FFFD
// (one for each maximal subpart, as the WHATWG decoder does). It returns line
// itself if there are none.
func Clean(line []byte) []byte { panic("todo") }

// Blank tells whether line is nothing but white space (JavaScript's trim), a
// line that pi skips without a word.
func Blank(line []byte) bool { panic("todo") }

// Valid tells whether JSON.parse takes the cleaned line. Nesting may be of any
// depth.
func Valid(line []byte) bool { panic("todo") }

// Fields is what an index keeps of a line: the position of an entry in its tree
// and the facts that decide about other entries. No body.
type Fields struct {
	// Kind tells type and role in one byte; Word is the type (for messages: the
	// role) where Kind does not tell it, else "".
	Kind Kind
	Word string

	// ID is the entry's id. A number or another non-string is called by its
	// JSON text. HasID is false where the key is missing or null.
	ID    string
	HasID bool

	// ParentID likewise. HasParent is false where the key is missing or null.
	// pi's walks to the root stop at a parent that is falsy ("" above all), while
	// its tree does look it up: see tree.
	ParentID  string
	HasParent bool

	// Time is the entry's timestamp in Unix milliseconds, as JavaScript's Date
	// reads it, or NoTime.
	Time int64

	// Activity is, for user and assistant messages that have a content key, the
	// message's own numeric timestamp (Unix milliseconds), else Time; NoTime for
	// all else. pi's session picker takes the latest as the session's date.
	Activity int64

	// TargetID is what label, context_edit and leaf entries point at, and the
	// firstKeptEntryId of a compaction. HasTarget is false where missing or null.
	TargetID  string
	HasTarget bool

	// Text is the label of a label entry, the name of a session_info entry; ""
	// if missing or no string.
	Text string

	// FirstKeptIndex is a version-1 compaction's firstKeptEntryIndex, -1 if none.
	FirstKeptIndex int64

	// Retained tells that a compaction has a (truthy) retainedTail.
	Retained bool

	// Images tells that the line may hold image blocks; false is certain.
	Images bool
}

// Scan reads the fields of one line (without its newline). ok is false if the
// line is no JSON object: pi skips such a line if it is no JSON at all, and
// [Valid] tells. The line must be clean (see [Clean]) or at least is read as if
// it had been cleaned. The strings of the result do not keep line alive.
func Scan(line []byte) (f Fields, ok bool) { panic("todo") }
