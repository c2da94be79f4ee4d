// Package store finds the session files below a store's directories, scans each
// once into an index of its entries, follows their growth, and reads bodies when
// they are asked for.
package store

import (
	"context"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// Options of Open.
type Options struct {
	// Watch follows changes by inotify, and by polling where that is silent.
	// Without it the store is read as it is when it is opened.
	Watch bool
}

// A Store is the set of session files below one or more directories.
type Store struct{}

// Open finds the sessions below the directories. It reads their headers only.
func Open(ctx context.Context, dirs []string, o Options) (*Store, error) { panic("todo") }

// Close ends the watching and closes all files.
func (s *Store) Close() error { panic("todo") }

// Sessions returns the sessions, sorted by Rel. The slice must not be changed.
func (s *Store) Sessions() []*Session { panic("todo") }

// Skipped returns the *.jsonl files that are no sessions, and why.
func (s *Store) Skipped() []Skipped { panic("todo") }

// Generation counts the changes of the set of sessions.
func (s *Store) Generation() uint64 { panic("todo") }

// Subscribe has f called, from one goroutine and with no lock held, after each
// change that the store has seen and published.
func (s *Store) Subscribe(f func(Change)) { panic("todo") }

// A Change is what happened to a session.
type Change struct {
	Session *Session
	Kind    ChangeKind
}

// ChangeKind is a kind of Change.
type ChangeKind uint8

// The kinds of changes. A file that was replaced, truncated or rewritten is
// removed and added: a new Session with a new Slot.
const (
	Grown ChangeKind = iota
	Added
	Removed
)

// Skipped is a file that is no session.
type Skipped struct {
	Path   string
	Reason string
}

// A Session is one file of the store. Its methods are safe for concurrent use.
type Session struct {
	Slot uint32 // counts the sessions that this Store has seen, from 1; never used twice
	Dir  string // the store directory given to Open
	Path string // the file, absolute
	Rel  string // the file below Dir
}

// Name is the session's name without regard to others: the file's without .jsonl.
func (s *Session) Name() string { panic("todo") }

// Header returns the session's header.
func (s *Session) Header() model.Header { panic("todo") }

// Cwd returns the header's cwd, "" if it has none.
func (s *Session) Cwd() string { panic("todo") }

// ReadOnly tells why the session must not be written to: a dialect of another
// program or version. "" if it may.
func (s *Session) ReadOnly() string { panic("todo") }

// Stat returns the file's facts as last seen.
func (s *Session) Stat() Stat { panic("todo") }

// Stat is what is used of a file's stat.
type Stat struct {
	Mode    uint32 // permission bits
	UID     uint32
	GID     uint32
	MtimeNS int64
	Size    int64
}

// View returns the session's newest state. The first call scans the file; later
// ones return what is there, and what has been added since (in a Store that
// watches: as soon as it is seen; else at Refresh).
func (s *Session) View() (*View, error) { panic("todo") }

// Refresh looks at the file now and returns its newest state. It reads what was
// appended, no more. ErrReplaced if the file is no longer the one it was.
func (s *Session) Refresh() (*View, error) { panic("todo") }

// A View is a session at one moment. It never changes.
type View struct {
	Session *Session
	Header  model.Header
	Version int // as stored, 1 to 3; 0 where it is none of them
	Tree    *tree.Tree
	Summary Summary
	Damaged []Damage // lines that are no entries, in file order
	Size    int64    // the bytes of the file that it covers
	Mtime   int64    // Unix nanoseconds, when those were there
}

// Notes returns what is odd about the file, in the order of the lines. It is
// computed at each call, since later entries can put earlier ones right.
func (v *View) Notes() []Warning { panic("todo") }

// Summary is what pi's picker shows of a session (SessionManager.list), without
// reading bodies again.
type Summary struct {
	Name         string // "" if none
	FirstMessage string // the first user message's text, "" if none
	MessageCount int
	Created      int64 // Unix milliseconds, model.NoTime if bad
	Modified     int64
	Title        string // another program's title, for sessions without a name
}

// Damage is a line that is no entry.
type Damage struct {
	Before int // index of the entry that follows it; Tree.Len() for the last
	Line   int // from 1
	Offset int64
	Len    int64
}

// Warning is something odd, for info.json and `pifs check`.
type Warning struct {
	Line    int    // from 1, 0 if about the whole file
	Code    string // a short fixed word: damaged, duplicate-id, orphan, cycle, bom, …
	Message string
}

// Raw reads the stored line of entry i, cleaned but not migrated. ErrReplaced if
// the file is no longer the one that was scanned.
func (v *View) Raw(i int) (model.Value, error) { panic("todo") }

// Entry reads and decodes entry i as pi holds it, migrated.
func (v *View) Entry(i int) (model.Entry, error) { panic("todo") }

// Each calls f with the given entries (indexes in any order) as Entry gives them,
// in the given order, reading neighbours together. An entry is valid during the
// call only. It stops at the first error.
func (v *View) Each(entries []int32, f func(i int, e model.Entry) error) error { panic("todo") }

// DamagedLine reads the bytes of a damaged line.
func (v *View) DamagedLine(d Damage) ([]byte, error) { panic("todo") }
