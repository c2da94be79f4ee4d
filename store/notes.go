package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pifs/pifs/model"
)

// Warning is something odd, for info.json and `pifs check`.
type Warning struct {
	Line    int    // from 1, 0 if about the whole file
	Code    string // a short fixed word: damaged, duplicate-id, orphan, cycle, bom, …
	Message string
}

// messageOf says what a code of Damage means.
var messageOf = map[string]string{
	"damaged":   "the line is no JSON",
	"glued":     "the line is no JSON: it seems to hold two entries without a line break between them",
	"nul":       "the line is no JSON: it has NUL bytes, as a crash leaves them",
	"no-object": "the line is JSON, but no object",
	"torn-tail": "the last line is no JSON and has no line break: it was torn while being written",
}

// Notes returns what is odd about the file, in the order of the lines. It is
// computed at each call, since later entries can put earlier ones right; the lines
// of entries whose parent is not found are read for it.
func (v *View) Notes() []Warning {
	notes := slices.Clone(v.oddities)
	if reason := v.Session.ReadOnly(); reason != "" {
		notes = append(notes, Warning{Code: "read-only", Message: reason})
	}
	for _, d := range v.Damaged {
		notes = append(notes, Warning{d.Line, d.Code, messageOf[d.Code]})
	}
	var orphans []int32
	for i := range v.Tree.Len() {
		if v.Tree.Shadowed(i) {
			notes = append(notes, Warning{v.Tree.Line(i), "duplicate-id", "a later entry has the same id and takes its place in the tree"})
		}
		if v.Tree.Orphan(i) {
			orphans = append(orphans, int32(i))
		}
	}
	notes = append(notes, v.orphans(orphans)...)
	slices.SortStableFunc(notes, func(a, b Warning) int { return cmp.Compare(a.Line, b.Line) })
	return notes
}

// orphans tells of each entry why it is a root although it names a parent, or just
// that it is if the file cannot be read any more.
func (v *View) orphans(entries []int32) []Warning {
	notes := make([]Warning, 0, len(entries))
	err := v.Each(entries, func(i int, e *model.Entry) error {
		notes = append(notes, v.orphan(i, e.ParentID))
		return nil
	})
	if err != nil {
		for _, i := range entries[len(notes):] {
			notes = append(notes, Warning{v.Tree.Line(int(i)), "orphan", "the parent is not found"})
		}
	}
	return notes
}

func (v *View) orphan(i int, parent model.Value) Warning {
	name := string(parent)
	if parent.Kind() == model.String {
		name = parent.Text()
	}
	line := v.Tree.Line(i)
	switch at, found := v.Tree.Lookup(name); {
	case found && at == i:
		return Warning{line, "self-parent", "the entry is its own parent"}
	case found:
		return Warning{line, "cycle", fmt.Sprintf("the entry is an ancestor of its parent %s", parent)}
	case name == v.Header.ID.Text():
		return Warning{line, "orphan", "the parent is the session's id, and no entry"}
	}
	return Warning{line, "orphan", fmt.Sprintf("there is no entry with the parent's id %s", parent)}
}
