package render_test

import (
	"fmt"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/tree"
)

func ExampleEntry() {
	line := model.Value(`{"type":"message","id":"8a16ac06","parentId":null,"timestamp":"2025-12-09T00:53:29.825Z","message":{
		"role":"assistant","provider":"anthropic","model":"claude-sonnet-4-5","stopReason":"toolUse",
		"content":[{"type":"text","text":"Let me look."},{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"ls -la"}}]}}`)
	e := model.DecodeEntry(line)
	fragment := render.Entry(e, render.Place{ID: e.ID.Text(), Time: model.ParseTime(e.Timestamp)})
	fmt.Print(string(fragment.AppendTo(nil, "images/")))
	// Output:
	// ## assistant · 8a16ac06 · 2025-12-09T00:53:29.825Z · anthropic/claude-sonnet-4-5
	//
	// Let me look.
	//
	// ### bash · call_1
	//
	// command: ls -la
}

func ExampleTree() {
	var entries []model.Entry
	var b tree.Builder
	for i, line := range []string{
		`{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"Fix the test"}}`,
		`{"type":"message","id":"b2","parentId":"a1","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}`,
		`{"type":"message","id":"c3","parentId":"a1","message":{"role":"user","content":"No, the other one"}}`,
	} {
		fields, _ := model.Scan([]byte(line))
		b.Add(i+2, fields)
		entries = append(entries, model.DecodeEntry(model.Value(line)))
	}
	fmt.Print(string(render.Tree(b.Tree(), "A session", "0b1c", func(i int) string { return render.Summary(entries[i], 80) })))
	// Output:
	// A session
	// session 0b1c
	//
	// a1 user  Fix the test
	// ├─ b2 assistant  Done.
	// └─ c3 user ◀ current  No, the other one
}

func ExampleFiles() {
	e := model.DecodeEntry(model.Value(`{"type":"message","message":{"role":"assistant","content":[
		{"type":"toolCall","name":"read","arguments":{"path":"src/main.go"}},
		{"type":"toolCall","name":"edit","arguments":{"path":"src/main.go","edits":[]}}]}}`))
	files := render.NewFiles("/home/dev/alpha")
	files.Add(e)
	fmt.Print(string(files.Append(nil)))
	// Output:
	// r /home/dev/alpha/src/main.go
	// w /home/dev/alpha/src/main.go
}

func ExampleContextHead() {
	head := render.ContextHead{
		Session:       "019a3e6e",
		Leaf:          "8a16ac06",
		Model:         model.Value(`{"provider":"anthropic","modelId":"claude-sonnet-4-5"}`),
		ThinkingLevel: model.Value(`"off"`),
		Messages:      2,
		Created:       1765241600000,
		Updated:       1765241609825,
	}
	fmt.Print(string(head.Append(nil)))
	// Output:
	// ---
	// session: "019a3e6e"
	// leaf: "8a16ac06"
	// model: "anthropic/claude-sonnet-4-5"
	// thinking: "off"
	// messages: 2
	// created: 2025-12-09T00:53:20.000Z
	// updated: 2025-12-09T00:53:29.825Z
	// ---
}
