package tree

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pifs/pifs/model"
)

// A reference answers what a Tree does from the definitions alone, in quadratic
// time and worse.
type reference struct {
	fields []model.Fields
	lines  []int

	parents []int
	isOld   []bool // shadowed
}

func newReference(fields []model.Fields, lines []int) reference {
	r := reference{fields: fields, lines: lines}
	for i, f := range fields {
		r.isOld = append(r.isOld, f.HasID && r.holder(f.ID) != i)
		if r.closesCycle(i) {
			r.parents = append(r.parents, None)
		} else {
			r.parents = append(r.parents, r.named(i))
		}
	}
	return r
}

func (r reference) holder(id string) int {
	for i := len(r.fields) - 1; i >= 0; i-- {
		if r.fields[i].HasID && r.fields[i].ID == id {
			return i
		}
	}
	return None
}

func (r reference) id(i int) string {
	if r.fields[i].HasID && !r.isOld[i] {
		return r.fields[i].ID
	}
	name := fmt.Sprintf("line-%d", r.lines[i])
	for n := 2; r.holder(name) != None; n++ {
		name = fmt.Sprintf("line-%d~%d", r.lines[i], n)
	}
	return name
}

// named is the parent that an entry names, cycles and all.
func (r reference) named(i int) int {
	f := r.fields[i]
	if !f.HasParent || f.HasID && f.ParentID == f.ID {
		return None
	}
	return r.holder(f.ParentID)
}

func (r reference) closesCycle(i int) bool {
	closing := None
	for at, steps := i, 0; steps <= len(r.fields); steps++ {
		if closing == None || at < closing {
			closing = at
		}
		if at = r.named(at); at == None {
			return false
		}
		if at == i {
			for at := r.named(i); ; at = r.named(at) {
				if r.fields[at].ParentID == "" {
					closing = at
				}
				if at == i {
					return closing == i
				}
			}
		}
	}
	return false
}

func (r reference) path(i int) []int32 {
	var path []int32
	for i != None {
		path = append([]int32{int32(i)}, path...)
		if r.fields[i].ParentID == "" {
			break
		}
		i = r.parents[i]
	}
	return path
}

func (r reference) children(i int) []int32 {
	var list []int32
	for j := range r.fields {
		if !r.isOld[j] && r.parents[j] == i {
			list = append(list, int32(j))
		}
	}
	if i != None {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(r.fields[a].Time, r.fields[b].Time) })
	}
	return list
}

func (r reference) leaves() []int32 {
	var list []int32
	for i := range r.fields {
		if !r.isOld[i] && len(r.children(i)) == 0 {
			list = append(list, int32(i))
		}
	}
	return list
}

func (r reference) leaf() int {
	leaf := None
	for i, f := range r.fields {
		before := reference{fields: r.fields[:i+1]}
		switch {
		case f.Kind != model.KindLeaf:
			leaf = i
		case !f.HasTarget:
			leaf = None
		case before.holder(f.TargetID) != None:
			leaf = before.holder(f.TargetID)
		case leaf != None && before.holder(r.fields[leaf].ID) != leaf && r.fields[leaf].HasID:
			leaf = before.holder(r.fields[leaf].ID)
		}
	}
	return leaf
}

func (r reference) inert(i int) bool {
	return slices.Contains([]model.Kind{model.KindLabel, model.KindSessionInfo, model.KindCustom, model.KindUsage,
		model.KindLeaf, model.KindUnknown}, r.fields[i].Kind)
}

func (r reference) current() int {
	path := r.path(r.leaf())
	for len(path) > 0 && r.inert(int(path[len(path)-1])) {
		path = path[:len(path)-1]
	}
	if len(path) == 0 {
		return None
	}
	return int(path[len(path)-1])
}

// branches cuts inert leaves until there are none.
func (r reference) branches() []int32 {
	cut := make([]bool, len(r.fields))
	isTip := func(i int) bool {
		return !cut[i] && !r.isOld[i] && !slices.ContainsFunc(r.children(i), func(j int32) bool { return !cut[j] })
	}
	for changed := true; changed; {
		changed = false
		for i := range r.fields {
			if isTip(i) && r.inert(i) {
				cut[i], changed = true, true
			}
		}
	}
	var tips []int32
	current := r.current()
	for i := range r.fields {
		if isTip(i) || i == current {
			tips = append(tips, int32(i))
		}
	}
	return tips
}

func (r reference) label(i int) string {
	label := ""
	for _, f := range r.fields {
		if f.Kind == model.KindLabel && f.HasTarget && r.holder(f.TargetID) == i {
			label = f.Text
		}
	}
	return label
}

func (r reference) labels() []Label {
	list := []Label{}
	for i := range r.fields {
		text := r.label(i)
		if text == "" {
			continue
		}
		at := slices.IndexFunc(list, func(l Label) bool { return l.Text == text })
		if at < 0 {
			at = len(list)
			list = append(list, Label{Text: text})
		}
		list[at].Entries = append(list[at].Entries, int32(i))
	}
	for n := range list {
		list[n].By = r.lastChange(list[n].Text)
	}
	slices.SortFunc(list, func(a, b Label) int { return cmp.Compare(a.Text, b.Text) })
	return list
}

// lastChange is the last label entry after which other entries bear text.
func (r reference) lastChange(text string) int32 {
	bearers := map[int]bool{}
	by := None
	for i, f := range r.fields {
		if f.Kind != model.KindLabel || !f.HasTarget || r.holder(f.TargetID) == None {
			continue
		}
		target := r.holder(f.TargetID)
		if bears := f.Text == text; bears != bearers[target] {
			bearers[target], by = bears, i
		}
	}
	return int32(by)
}

func (r reference) nearTime(i int) int64 {
	for distance := range r.fields {
		for _, j := range []int{i - distance, i + distance} {
			if j >= 0 && j < len(r.fields) && r.fields[j].Time != model.NoTime {
				return r.fields[j].Time
			}
		}
	}
	return model.NoTime
}

// context is pi's buildContextEntries and the half of buildSessionProjection that
// needs no bodies, by ids as there.
func (r reference) context(i int) Context {
	ctx := Context{Compaction: None, ModelAt: None, ThinkingAt: None}
	path := r.path(i)
	compactionAt := None
	for at, entry := range path {
		switch r.fields[entry].Kind {
		case model.KindCompaction:
			ctx.Compaction, compactionAt = int(entry), at
		case model.KindAssistant, model.KindModelChange:
			ctx.ModelAt = int(entry)
		case model.KindThinkingLevelChange:
			ctx.ThinkingAt = int(entry)
		}
	}
	var entries []int32
	if compactionAt != None {
		entries = append(entries, path[compactionAt])
		c := r.fields[ctx.Compaction]
		found := false
		for _, entry := range path[:compactionAt] {
			if c.HasTarget && !c.Retained && r.fields[entry].ID == c.TargetID {
				found = true
			}
			if found && r.fields[entry].Kind != model.KindSystem {
				entries = append(entries, entry)
			}
		}
	}
	entries = append(entries, path[compactionAt+1:]...)
	edits := map[string]int32{}
	for _, entry := range entries {
		if f := r.fields[entry]; f.Kind == model.KindContextEdit && f.HasTarget {
			edits[f.TargetID] = entry
		}
	}
	for _, entry := range entries {
		edit, edited := edits[r.fields[entry].ID]
		if !edited || !r.fields[entry].HasID || r.isOld[entry] {
			edit = None
		}
		ctx.Steps = append(ctx.Steps, Step{entry, edit})
	}
	return ctx
}
