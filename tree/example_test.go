package tree_test

import (
	"fmt"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

var lines = []string{
	`{"type":"message","id":"8a16ac06","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"ask"}}`,
	`{"type":"message","id":"1f0c2b3d","parentId":"8a16ac06","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"m"}}`,
	`{"type":"message","id":"77aa0190","parentId":"8a16ac06","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"n"}}`,
	`{"type":"label","id":"0badcafe","parentId":"77aa0190","timestamp":"2026-01-01T00:00:04.000Z","targetId":"1f0c2b3d","label":"first try"}`,
}

func ExampleBuilder() {
	var b tree.Builder
	for i, line := range lines {
		fields, _ := model.Scan([]byte(line))
		b.Add(i+2, fields) // The header has line 1.
	}
	t := b.Tree()
	for _, tip := range t.Branches() {
		fmt.Printf("branch %s %q\n", t.ID(int(tip)), t.Label(int(tip)))
		for _, i := range t.Path(int(tip)) {
			fmt.Println(" ", t.Word(int(i)), t.ID(int(i)))
		}
	}
	fmt.Println("current", t.ID(t.Current()))
	// Output:
	// branch 1f0c2b3d "first try"
	//   user 8a16ac06
	//   assistant 1f0c2b3d
	// branch 77aa0190 ""
	//   user 8a16ac06
	//   assistant 77aa0190
	// current 77aa0190
}

func ExampleBuildSessionContext() {
	var entries []model.Entry
	for _, line := range lines {
		entries = append(entries, model.DecodeEntry(model.Value(line)))
	}
	fmt.Println(string(tree.BuildSessionContext(entries, "1f0c2b3d")))
	// Output:
	// {"messages":[{"role":"user","content":"ask"},{"role":"assistant","content":[],"provider":"p","model":"m"}],"thinkingLevel":"off","model":{"provider":"p","modelId":"m"}}
}
