package writeback_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/writeback"
)

// library makes a walk's calls on Session, as scripts/oracle/walk.mjs makes them on
// pi's SessionManager.
type library struct {
	root  string
	s     *writeback.Session
	files []string
}

// call makes the call and returns the answer as the oracle gives it.
func (l *library) call(c command) []byte {
	var args arguments
	for _, a := range c.args {
		args = append(args, l.resolve(model.Value(separators.Replace(string(bytes.TrimSpace(encode(a)))))))
	}
	value, err := l.dispatch(c.method, args)
	if err == nil && l.s != nil && l.s.File() != "" && !slices.Contains(l.files, l.s.File()) {
		l.files = append(l.files, l.s.File())
	}
	answer := map[string]any{"ok": value}
	if err != nil {
		answer = map[string]any{"error": err.Error()}
	}
	return encode(answer)
}

// separators are what JSON.stringify does not escape, and encoding/json does.
var separators = strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029")

// encode returns v as JSON.stringify spells it, separators aside, and a newline.
func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// resolve replaces what stands for entries, files and paths.
func (l *library) resolve(v model.Value) model.Value {
	if path, ok := strings.CutPrefix(v.Text(), "@/"); ok {
		return jsonText(filepath.Join(l.root, path))
	}
	if v.Get("$undefined") != nil {
		return nil
	}
	if n, ok := v.Get("$file").Float(); ok {
		if len(l.files) == 0 {
			return jsonText("none")
		}
		return jsonText(l.files[int(n)%len(l.files)])
	}
	if n, ok := v.Get("$entry").Float(); ok {
		entries := l.s.Entries()
		if len(entries) == 0 {
			return jsonText("none")
		}
		return entries[int(n)%len(entries)].ID
	}
	return v
}

func jsonText(text string) model.Value { return model.AppendString(nil, text) }

type arguments []model.Value

func (a arguments) value(i int) model.Value {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func (a arguments) text(i int) string { return a.value(i).Text() }

func (a arguments) truth(i int) *bool {
	if a.value(i) == nil {
		return nil
	}
	t := a.value(i).Truthy()
	return &t
}

// dispatch makes one call. Where a call only has an effect, the value is nil.
func (l *library) dispatch(method string, a arguments) (value any, err error) {
	if sessionOf := makers[method]; sessionOf != nil {
		s, err := sessionOf(a)
		if err != nil {
			return nil, err
		}
		l.s = s
		return orNull(s.File()), nil
	}
	s := l.s
	switch method {
	case "snapshot":
		return snapshot(s), nil
	case "newSession":
		path, err := s.NewSession(newOptions(a.value(0)))
		return orNull(path), err
	case "setSessionFile":
		return nil, s.SetFile(a.text(0))
	case "createBranchedSession":
		path, err := s.CreateBranchedSession(a.text(0))
		return orNull(path), err
	case "branch":
		return nil, s.Branch(a.text(0))
	case "resetLeaf":
		s.ResetLeaf()
		return nil, nil
	case "branchWithSummary":
		return s.BranchWithSummary(a.text(0), writeback.BranchSummary{
			Summary: a.text(1), Details: a.value(2), FromHook: a.truth(3), Usage: a.value(4),
		})
	case "appendMessage":
		return s.AppendMessage(a.value(0))
	case "appendThinkingLevelChange":
		return s.AppendThinkingLevelChange(a.text(0))
	case "appendModelChange":
		return s.AppendModelChange(a.text(0), a.text(1))
	case "appendUsage":
		return s.AppendUsage(a.text(0), a.text(1), a.text(2), a.value(3), a.text(4))
	case "appendCompaction":
		tokens, _ := a.value(2).Float()
		return s.AppendCompaction(writeback.Compaction{
			Summary: a.text(0), FirstKeptEntryID: a.text(1), TokensBefore: tokens,
			Details: a.value(3), FromHook: a.truth(4), Usage: a.value(5),
		})
	case "appendCustomEntry":
		return s.AppendCustomEntry(a.text(0), a.value(1))
	case "appendSessionInfo":
		return s.AppendSessionInfo(a.text(0))
	case "appendCustomMessageEntry":
		return s.AppendCustomMessage(a.text(0), a.value(1), a.value(2).Truthy(), a.value(3))
	case "appendContextEdit":
		return s.AppendContextEdit(a.text(0), a.value(1))
	case "appendLabelChange":
		return s.AppendLabelChange(a.text(0), a.text(1))
	case "list":
		infos, err := writeback.List(context.Background(), a.text(0), a.text(1))
		return rows(infos), err
	case "listAll":
		infos, err := writeback.ListAll(context.Background(), a.text(0))
		return rows(infos), err
	case "findById":
		path, _ := writeback.FindByID(a.text(0), a.text(1), a.text(2))
		return orNull(path), nil
	}
	panic("no call " + method)
}

// rows returns rows of a list as JSON.stringify spells pi's.
func rows(infos []writeback.Info) []any {
	rows := []any{}
	for _, i := range infos {
		text, err := i.AllMessagesText()
		if err != nil {
			panic(err)
		}
		row := object{
			"path": i.Path, "id": i.ID, "cwd": i.Cwd, "messageCount": i.MessageCount,
			"created": model.FormatTime(i.Created.UnixMilli()), "modified": model.FormatTime(i.Modified.UnixMilli()),
			"firstMessage": i.FirstMessage, "allMessagesText": text,
		}
		if i.Name != "" {
			row["name"] = i.Name
		}
		if i.ParentSession != "" {
			row["parentSessionPath"] = i.ParentSession
		}
		rows = append(rows, row)
	}
	return rows
}

// unsynced keeps walks from waiting for the disk: they do not test that.
func unsynced(o writeback.SessionOptions) writeback.SessionOptions {
	o.NoSync = true
	return o
}

var makers = map[string]func(a arguments) (*writeback.Session, error){
	"create": func(a arguments) (*writeback.Session, error) {
		o := newOptions(a.value(2))
		return writeback.Create(a.text(0), unsynced(writeback.SessionOptions{Dir: a.text(1), ID: o.ID, ParentSession: o.ParentSession}))
	},
	"open": func(a arguments) (*writeback.Session, error) {
		return writeback.Open(a.text(0), unsynced(writeback.SessionOptions{Dir: a.text(1), Cwd: a.text(2)}))
	},
	"continueRecent": func(a arguments) (*writeback.Session, error) {
		return writeback.ContinueRecent(a.text(0), unsynced(writeback.SessionOptions{Dir: a.text(1)}))
	},
	"inMemory": func(a arguments) (*writeback.Session, error) {
		o := newOptions(a.value(1))
		return writeback.InMemory(a.text(0), writeback.SessionOptions{ID: o.ID, ParentSession: o.ParentSession}, slices.Collect(a.value(2).Elements())...)
	},
	"forkFrom": func(a arguments) (*writeback.Session, error) {
		return writeback.ForkFrom(a.text(0), a.text(1), unsynced(writeback.SessionOptions{Dir: a.text(2), ID: newOptions(a.value(3)).ID}))
	},
}

func newOptions(v model.Value) writeback.NewOptions {
	return writeback.NewOptions{ID: v.Get("id").Text(), ParentSession: v.Get("parentSession").Text()}
}

// orNull returns nil for "", what JavaScript has as undefined.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// snapshot returns all that the getters tell, as the oracle's snapshot does.
func snapshot(s *writeback.Session) any {
	type object struct {
		Persisted      bool                `json:"persisted"`
		Cwd            string              `json:"cwd"`
		Dir            string              `json:"dir"`
		Default        bool                `json:"default"`
		ID             string              `json:"id"`
		File           any                 `json:"file"`
		Header         json.RawMessage     `json:"header"`
		Name           any                 `json:"name"`
		Leaf           any                 `json:"leaf"`
		LeafEntry      json.RawMessage     `json:"leafEntry"`
		Count          int                 `json:"count"`
		Entries        []json.RawMessage   `json:"entries"`
		Labels         []any               `json:"labels"`
		Children       [][]json.RawMessage `json:"children"`
		Branch         []json.RawMessage   `json:"branch"`
		Branches       []int               `json:"branches"`
		Tree           [][4]any            `json:"tree"`
		ContextEntries []json.RawMessage   `json:"contextEntries"`
		Projection     [][2]any            `json:"projection"`
		Context        json.RawMessage     `json:"context"`
	}
	o := object{
		Persisted: s.Persisted(), Cwd: s.Cwd(), Dir: s.Dir(), Default: s.UsesDefaultDir(),
		ID: s.ID(), File: orNull(s.File()), Header: raw(s.Header().Raw), Name: orNull(s.Name()),
		Leaf: orNull(s.LeafID()), Count: s.EntryCount(),
		Entries: []json.RawMessage{}, Labels: []any{}, Children: [][]json.RawMessage{},
		Branch: ids(s.Path("")), Branches: []int{}, Tree: [][4]any{},
		ContextEntries: ids(s.ContextEntries()), Projection: [][2]any{},
		Context: raw(s.Context()),
	}
	leaf, _ := s.LeafEntry()
	o.LeafEntry = raw(leaf.Raw)
	for _, e := range s.Entries() {
		id := e.ID.Text()
		o.Entries = append(o.Entries, raw(e.Raw))
		o.Labels = append(o.Labels, orNull(s.Label(id)))
		o.Children = append(o.Children, ids(s.Children(id)))
		o.Branches = append(o.Branches, len(s.Path(id)))
	}
	for _, root := range s.Tree() {
		o.Tree = appendNode(o.Tree, root, 0)
	}
	for _, e := range s.Projection().Entries {
		o.Projection = append(o.Projection, [2]any{raw(e.Source.ID), len(e.Messages)})
	}
	return o
}

// appendNode appends a node and all below it. The sessions of a walk are not deep.
func appendNode(rows [][4]any, n *writeback.Node, depth int) [][4]any {
	rows = append(rows, [4]any{raw(n.Entry.ID), depth, orNull(n.Label), raw(n.LabelTimestamp)})
	for _, child := range n.Children {
		rows = appendNode(rows, child, depth+1)
	}
	return rows
}

func ids(entries []model.Entry) []json.RawMessage {
	all := []json.RawMessage{}
	for _, e := range entries {
		all = append(all, raw(e.ID))
	}
	return all
}

func raw(v model.Value) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return json.RawMessage(v)
}
