package writeback

import (
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// SetName gives the session a display name; "" clears it.
func SetName(name string) Plan {
	return func(*store.View) ([]Change, error) { return []Change{{Name: &name}}, nil }
}

// LabelEntry gives one entry a label; "" clears the one it has.
func LabelEntry(id, label string) Plan {
	return func(*store.View) ([]Change, error) { return []Change{{Target: id, Label: label}}, nil }
}

// LabelCurrent gives the label to the session's current position, the entry whose
// context pi resumes with. ErrUnknownEntry if there is none.
func LabelCurrent(label string) Plan {
	return func(v *store.View) ([]Change, error) {
		i := v.Tree.Current()
		if i == tree.None {
			return nil, ErrUnknownEntry
		}
		return []Change{{Target: v.Tree.ID(i), Label: label}}, nil
	}
}

// AddLabel gives the label to the entries of these ids.
func AddLabel(label string, ids ...string) Plan {
	return func(*store.View) ([]Change, error) {
		var changes []Change
		for _, id := range ids {
			changes = append(changes, Change{Target: id, Label: label})
		}
		return changes, nil
	}
}

// PutLabel gives the label to the entries of these ids and takes it from all
// others. Without ids it clears the label.
func PutLabel(label string, ids ...string) Plan {
	return func(v *store.View) ([]Change, error) {
		keep := make(map[int]bool)
		for _, id := range ids {
			if i, ok := v.Tree.Lookup(id); ok {
				keep[i] = true
			}
		}
		var changes []Change
		for _, i := range labelled(v, label) {
			if !keep[int(i)] {
				changes = append(changes, Change{Target: v.Tree.ID(int(i))})
			}
		}
		added, err := AddLabel(label, ids...)(v)
		return append(changes, added...), err
	}
}

// MoveLabel gives each entry labelled from the label to instead. ErrUnknownEntry
// if there is none.
func MoveLabel(from, to string) Plan {
	return func(v *store.View) ([]Change, error) {
		var changes []Change
		for _, i := range labelled(v, from) {
			changes = append(changes, Change{Target: v.Tree.ID(int(i)), Label: to})
		}
		if changes == nil {
			return nil, ErrUnknownEntry
		}
		return changes, nil
	}
}

// ClearLabel takes the label from all entries that have it.
func ClearLabel(label string) Plan { return PutLabel(label) }

// labelled returns the entries that bear a label, in file order.
func labelled(v *store.View, label string) []int32 {
	for _, l := range v.Tree.Labels() {
		if l.Text == label {
			return l.Entries
		}
	}
	return nil
}
