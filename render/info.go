package render

import (
	"maps"
	"slices"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// Info is info.json.
type Info struct {
	Header   model.Value
	File     string
	Name     string
	Title    string
	Created  int64 // Unix milliseconds or model.NoTime
	Modified int64
	Version  int
	ReadOnly string // why the session must not be written to, "" if it may
	Tree     *tree.Tree
	Totals   model.Usage            // all entries
	Own      *model.Usage           // of a fork: without what came with it; nil if no fork
	Models   map[string]model.Usage // by "provider/model"; "Tools/summaries", as pi calls them
	Warnings []Warning
}

// Warning is a line of info.json's warnings.
type Warning struct {
	Line    int    `json:"line,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Append writes the info as indented JSON with a fixed key order. Numbers are
// spelled as JavaScript does.
//
//	header           as stored
//	file             the store file
//	name, title      "" if there is none
//	created          ISO 8601 or null
//	modified         likewise
//	version          of the format, 0 if unknown
//	readOnly         why, or null
//	counts           entries, messages, messagesByRole, otherEntriesByType, branches,
//	                 leaves, roots, labels, orphans, shadowed (ids used again)
//	tokens, cost     {all, own: of a fork without what came with it}
//	models           {"provider/model": {tokens, cost}}; "Tools/summaries" for the rest
//	currentPosition  {leaf: pi's, branch: the name in branches/}, null before any entry
//	warnings         [{line, code, message}]
func (n Info) Append(dst []byte) []byte {
	var b model.Builder
	b.Value("header", n.Header)
	b.Text("file", n.File)
	b.Text("name", n.Name)
	b.Text("title", n.Title)
	addTime(&b, "created", n.Created)
	addTime(&b, "modified", n.Modified)
	b.Float("version", float64(n.Version))
	if n.ReadOnly == "" {
		b.Value("readOnly", null)
	} else {
		b.Text("readOnly", n.ReadOnly)
	}
	b.Value("counts", counts(n.Tree))
	b.Value("tokens", n.allAndOwn(func(b *model.Builder, key string, u model.Usage) { b.Value(key, tokens(u)) }))
	b.Value("cost", n.allAndOwn(func(b *model.Builder, key string, u model.Usage) { b.Float(key, u.Cost) }))
	b.Value("models", n.models())
	b.Value("currentPosition", position(n.Tree))
	b.Value("warnings", n.warnings())
	return append(b.Object().AppendIndented(dst), '\n')
}

var null = model.Value("null")

func addTime(b *model.Builder, key string, ms int64) {
	if ms == model.NoTime {
		b.Value(key, null)
		return
	}
	b.Text(key, model.FormatTime(ms))
}

// counts returns how many there are of what: entries of each kind that occurs,
// messages by role, and what the tree makes of them.
func counts(t *tree.Tree) model.Value {
	messages, others := map[string]int{}, map[string]int{}
	total, orphans, shadowed := 0, 0, 0
	for i := range t.Len() {
		if t.Kind(i).IsMessage() {
			messages[t.Word(i)]++
			total++
		} else {
			others[t.Word(i)]++
		}
		if t.Orphan(i) {
			orphans++
		}
		if t.Shadowed(i) {
			shadowed++
		}
	}
	var b model.Builder
	addCount(&b, "entries", t.Len())
	addCount(&b, "messages", total)
	b.Value("messagesByRole", countsOf(messages))
	b.Value("otherEntriesByType", countsOf(others))
	addCount(&b, "branches", len(t.Branches()))
	addCount(&b, "leaves", len(t.Leaves()))
	addCount(&b, "roots", len(t.Children(tree.None)))
	addCount(&b, "labels", len(t.Labels()))
	addCount(&b, "orphans", orphans)
	addCount(&b, "shadowed", shadowed)
	return b.Object()
}

func countsOf(counts map[string]int) model.Value {
	var b model.Builder
	for _, word := range slices.Sorted(maps.Keys(counts)) {
		addCount(&b, word, counts[word])
	}
	return b.Object()
}

func addCount(b *model.Builder, key string, n int) { b.Float(key, float64(n)) }

// allAndOwn returns a figure of the totals, and of a fork's own.
func (n Info) allAndOwn(add func(b *model.Builder, key string, u model.Usage)) model.Value {
	var b model.Builder
	add(&b, "all", n.Totals)
	if n.Own != nil {
		add(&b, "own", *n.Own)
	}
	return b.Object()
}

func tokens(u model.Usage) model.Value {
	var b model.Builder
	b.Float("total", u.Tokens())
	b.Float("input", u.Input)
	b.Float("output", u.Output)
	b.Float("cacheRead", u.CacheRead)
	b.Float("cacheWrite", u.CacheWrite)
	return b.Object()
}

func (n Info) models() model.Value {
	var b model.Builder
	for _, name := range slices.Sorted(maps.Keys(n.Models)) {
		var m model.Builder
		m.Value("tokens", tokens(n.Models[name]))
		m.Float("cost", n.Models[name].Cost)
		b.Value(name, m.Object())
	}
	return b.Object()
}

// position returns where pi would go on, null before any entry.
func position(t *tree.Tree) model.Value {
	if t.Leaf() == tree.None {
		return null
	}
	var b model.Builder
	b.Text("leaf", t.ID(t.Leaf()))
	if t.Current() == tree.None {
		b.Value("branch", null)
	} else {
		b.Text("branch", t.ID(t.Current()))
	}
	return b.Object()
}

func (n Info) warnings() model.Value {
	list := []byte{'['}
	for _, w := range n.Warnings {
		var b model.Builder
		if w.Line > 0 {
			addCount(&b, "line", w.Line)
		}
		b.Text("code", w.Code)
		b.Text("message", w.Message)
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, b.Object()...)
	}
	return append(list, ']')
}
