package fs

import (
	"slices"
	"strings"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// The fixed names of the tree.
const (
	nameMeta        = ".pifs"
	nameCwd         = "cwd"
	nameLatest      = "latest"
	nameTitles      = "by-title"
	nameName        = "name"
	nameLabels      = "labels"
	nameInfo        = "info.json"
	nameTree        = "tree.txt"
	nameTranscript  = "transcript.md"
	nameFiles       = "files.txt"
	nameSource      = "session.jsonl"
	nameParent      = "parent"
	nameChildren    = "children"
	nameCurrent     = "current"
	nameBranches    = "branches"
	nameContext     = "context.md"
	nameContextJSON = "context.json"
	namePath        = "path"
	nameEntries     = "entries"
	nameImages      = "images"
)

// findEntry returns the entry whose id is written base in file names.
func findEntry(t *tree.Tree, base string) (i int, ok bool) {
	if id, ok := model.ParseFileName(base); ok {
		if i, ok := t.Lookup(id); ok && model.FileName(id) == base {
			return i, true
		}
	}
	if len(base) < longName {
		return 0, false
	}
	for i := range t.Len() { // a name that was cut: it can't be decoded
		if id := t.ID(i); len(id)*3 >= longName && model.FileName(id) == base {
			return i, true
		}
	}
	return 0, false
}

// longName is a length in bytes that every file name that was cut exceeds.
const longName = 180

// labelName writes a label as a file name. One that reads like the id of an
// entry has its first character written as %XX, since labels/<id> means that
// entry's label; where the id can't stand in a name as it is, the label's has a
// hash.
func labelName(t *tree.Tree, label string) string {
	name := model.FileName(label)
	if _, isID := t.Lookup(label); !isID {
		return name
	}
	if name != label {
		return name + shortHash(label)
	}
	first := 1
	for first < len(label) && label[first]&0xC0 == 0x80 {
		first++
	}
	var b strings.Builder
	for i := range first {
		const hex = "0123456789ABCDEF"
		b.WriteString("%" + string(hex[label[i]>>4]) + string(hex[label[i]&15]))
	}
	return b.String() + label[first:]
}

// findLabel returns the label that is written name in the labels directory, or that
// making a file of that name gives: long labels are listed under names that were cut.
func findLabel(t *tree.Tree, name string) (tree.Label, bool) {
	labels := t.Labels()
	var at int
	text, decoded := model.ParseFileName(name)
	if decoded {
		at, decoded = slices.BinarySearchFunc(labels, text, func(l tree.Label, text string) int { return strings.Compare(l.Text, text) })
		if decoded && labelName(t, text) == name {
			return labels[at], true
		}
	}
	for _, l := range labels {
		if labelName(t, l.Text) == name {
			return l, true
		}
	}
	if _, isID := findEntry(t, name); decoded && !isID {
		return labels[at], true
	}
	return tree.Label{}, false
}

// titleLen is the length in characters at which titles are cut.
const titleLen = 80

// titleText is a session's title: its name, else the first line with text of the
// first user message, else what pi's picker shows for a session without any.
func titleText(name, firstMessage string) string {
	if name == "" {
		for line := range strings.Lines(firstMessage) {
			if name = strings.TrimSpace(line); name != "" {
				break
			}
		}
	}
	if name == "" {
		name = "(no messages)"
	}
	n := 0
	for i := range name {
		if n == titleLen {
			return strings.TrimSpace(name[:i])
		}
		n++
	}
	return name
}
