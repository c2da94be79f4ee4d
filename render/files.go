package render

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// ContextHead is the front matter of a context.md.
type ContextHead struct {
	Session       string // the session's id
	Leaf          string // the entry's id
	Model         model.Value
	ThinkingLevel model.Value
	Messages      int
	Created       int64 // the header's time, Unix milliseconds
	Updated       int64 // the entry's
}

// Append writes the front matter as YAML between lines of three dashes, then a
// blank line.
func (h ContextHead) Append(dst []byte) []byte { panic("todo") }

// TranscriptHead is the front matter of a transcript.md. It holds only what
// never changes.
func TranscriptHead(dst []byte, h model.Header) []byte { panic("todo") }

// ContextJSONHead is what stands before the messages in a context.json,
// ContextJSONTail what stands after. Each message is one line, separated by ",\n".
func ContextJSONHead(dst []byte, thinkingLevel, mdl model.Value) []byte { panic("todo") }

// ContextJSONTail ends a context.json.
func ContextJSONTail(dst []byte) []byte { panic("todo") }

// EntryJSON is entries/<id>.json: the entry indented, numbers and strings as stored.
func EntryJSON(dst []byte, v model.Value) []byte { panic("todo") }

// Tree is tree.txt: every entry of every branch, one line each, labels, compactions,
// the current position. Branches are indented, chains are not. line gives an entry's
// one-line summary (see Summary).
func Tree(t *tree.Tree, name string, line func(i int) string) []byte { panic("todo") }

// Summary is the start of an entry's text on one line, at most n characters.
func Summary(e model.Entry, n int) string { panic("todo") }

// Info is info.json.
type Info struct {
	Header   model.Value
	File     string
	Name     string
	Title    string
	Created  int64
	Modified int64
	Version  int
	ReadOnly string
	Tree     *tree.Tree
	Totals   model.Usage            // all entries
	Own      *model.Usage           // of a fork: without what came with it; nil if no fork
	Models   map[string]model.Usage // by "provider/model"; "" for tools and summaries
	Warnings []Warning
}

// Warning is a line of info.json's warnings.
type Warning struct {
	Line    int    `json:"line,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Append writes the info as indented JSON with a fixed key order.
func (n Info) Append(dst []byte) []byte { panic("todo") }

// Files collects files.txt from entries in file order.
type Files struct{}

// NewFiles returns a collector; relative paths are made absolute with cwd.
func NewFiles(cwd string) *Files { panic("todo") }

// Add takes note of the files that the tool calls of e touch.
func (f *Files) Add(e model.Entry) { panic("todo") }

// Append writes the lines so far: `r path` or `w path`, first use first.
func (f *Files) Append(dst []byte) []byte { panic("todo") }
