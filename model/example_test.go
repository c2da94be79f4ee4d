package model_test

import (
	"fmt"

	"github.com/pifs/pifs/model"
)

// A line is scanned for an index, and decoded when it is shown.
func Example() {
	line := []byte(`{"type":"message","id":"8a16ac06","parentId":null,"timestamp":"2025-12-09T00:53:29.825Z",` +
		`"message":{"role":"user","content":[{"type":"text","text":"Say \"hi\""}]}}`)

	fields, ok := model.Scan(line)
	fmt.Println(ok, fields.Kind, fields.ID, fields.HasParent, model.FormatTime(fields.Time))

	entry := model.DecodeEntry(line)
	for block := range model.Blocks(model.DecodeMessage(entry.Message).Content) {
		fmt.Println(block.Type, block.Text.Text())
	}
	// Output:
	// true user 8a16ac06 false 2025-12-09T00:53:29.825Z
	// text Say "hi"
}

func ExampleValue() {
	v := model.Value(`{"a": [1.50, "x"], "b": null, "a": {"c": true}}`)
	fmt.Println(string(v.Get("a")), v.Get("b").Truthy(), v.Get("z") == nil)
	for key, member := range v.Members() {
		fmt.Println(key.Text(), string(member.AppendCompact(nil)))
	}
	// Output:
	// {"c": true} false true
	// a [1.50,"x"]
	// b null
	// a {"c":true}
}

func ExampleValue_With() {
	entry := model.Value(`{"type":"label","id":"1","label":"old"}`)
	entry = entry.With("label", nil)
	entry = entry.With("id", model.Value(`"2"`))
	entry = entry.With("targetId", model.Value(`"1"`))
	fmt.Println(string(entry))
	// Output: {"type":"label","id":"2","targetId":"1"}
}

func ExampleBuilder() {
	var b model.Builder
	b.Text("type", "session_info").Text("id", "8a16ac06").Value("parentId", model.Value("null")).Text("name", "a \"name\"")
	fmt.Println(string(b.Object()))
	// Output: {"type":"session_info","id":"8a16ac06","parentId":null,"name":"a \"name\""}
}

func ExampleFileName() {
	for _, text := range []string{"before the refactoring", "a/b", "..", "", "backup~"} {
		name := model.FileName(text)
		back, _ := model.ParseFileName(name)
		fmt.Println(name, back == text)
	}
	// Output:
	// before the refactoring true
	// a%2Fb true
	// %2E. true
	// % true
	// backup%7E true
}

func ExampleParseTime() {
	fmt.Println(model.ParseTime(model.Value(`"2025-12-09T00:53:29.825Z"`)))
	fmt.Println(model.ParseTime(model.Value(`"Tue, 09 Dec 2025 01:53:29 +0100"`)))
	fmt.Println(model.ParseTime(model.Value(`"soon"`)) == model.NoTime)
	// Output:
	// 1765241609825
	// 1765241609000
	// true
}

func ExampleImages() {
	entry := model.DecodeEntry(model.Value(`{"type":"message","message":{"role":"user","content":[` +
		`{"type":"text","text":"look"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}}`))
	for image := range model.Images(entry) {
		size, ok := image.Size()
		fmt.Println(image.N, image.Ext(), size, ok)
	}
	// Output: 1 png 8 true
}
