package tree

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pifs/pifs/model"
)

// A Label is a label and the entries that bear it, in file order.
type Label struct {
	Text    string
	Entries []int32
	By      int32 // the label entry that last gave it to an entry or took it from one
}

// A labelIndex is computed when it is first asked for.
type labelIndex struct {
	once sync.Once
	list []Label
	of   map[int32]string
}

// Labels returns the labels in use, sorted by text. The last label entry for a
// target in file order decides, whatever its branch.
func (t *Tree) Labels() []Label {
	t.labels.once.Do(t.readLabels)
	return t.labels.list
}

// Label returns the label of entry i, "" if it has none.
func (t *Tree) Label(i int) string {
	t.labels.once.Do(t.readLabels)
	return t.labels.of[int32(i)]
}

func (t *Tree) readLabels() {
	of := make(map[int32]string)
	changed := make(map[string]int32)
	for _, f := range t.facts {
		if t.kind(f.entry) != model.KindLabel || !f.hasTarget {
			continue
		}
		target := t.find(f.target)
		if target == None || of[target] == f.text {
			continue
		}
		changed[of[target]], changed[f.text] = f.entry, f.entry
		if of[target] = f.text; f.text == "" {
			delete(of, target)
		}
	}
	t.labels.of = of
	t.labels.list = groupLabels(of, changed)
}

func groupLabels(of map[int32]string, changed map[string]int32) []Label {
	bearers := make(map[string][]int32)
	for i, text := range of {
		bearers[text] = append(bearers[text], i)
	}
	list := make([]Label, 0, len(bearers))
	for text, entries := range bearers {
		slices.Sort(entries)
		list = append(list, Label{text, entries, changed[text]})
	}
	slices.SortFunc(list, func(a, b Label) int { return cmp.Compare(a.Text, b.Text) })
	return list
}

// Name returns the session's display name, trimmed, "" if none, and the
// session_info entry that decided it, or None.
func (t *Tree) Name() (name string, by int) {
	if t.named == 0 {
		return "", None
	}
	by = int(t.named.index())
	return model.Trim(t.fact(t.named.index()).text), by
}
