package writeback

import (
	"path/filepath"
	"slices"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// Branch moves the leaf to the entry called id: what is appended next becomes its
// child. Nothing is written. ErrUnknownEntry if there is none.
func (s *Session) Branch(id string) error {
	i, err := s.find(id)
	if err == nil {
		s.leaf = i
	}
	return err
}

// ResetLeaf moves the leaf before any entry: what is appended next becomes a root.
// Nothing is written.
func (s *Session) ResetLeaf() { s.leaf = tree.None }

// CreateBranchedSession makes s a new session that holds nothing but the path to
// the entry called leafID, and returns the path of its file, "" in memory. The file
// is born now if there is a conversation on the path, else later. If it fails s is
// what it was.
//
// Label entries are taken out of the path, as what they label may not be on it, and
// those of the labels that are come back at its end.
func (s *Session) CreateBranchedSession(leafID string) (path string, err error) {
	leaf, err := s.find(leafID)
	if err != nil {
		return "", err
	}
	o := NewOptions{}
	if s.persisted {
		o.ParentSession = s.path
	}
	header, name, err := newHeader(s.cwd, o)
	if err != nil {
		return "", err
	}
	c := headed(header)
	kept := s.withoutLabels(s.tree.Path(leaf))
	for _, raw := range append(kept, s.relabel(kept)...) {
		c.add(c.line+1, raw)
	}
	next := *s
	next.born = false
	if s.persisted && s.born {
		next.perm = permLike(s.path)
	}
	next.take(c)
	if s.persisted {
		next.path = filepath.Join(s.dir, name)
	}
	if s.persisted && next.talked {
		if err := next.birth(next.entries); err != nil {
			return "", err
		}
	}
	*s = next
	if !s.persisted {
		return "", nil
	}
	return s.path, nil
}

// withoutLabels returns the entries of a path but for the label entries, each a
// child of the one before. A compaction that kept what follows a label entry keeps
// what follows.
func (s *Session) withoutLabels(path []int32) []model.Value {
	var kept []model.Value
	parent := model.Value("null")
	after := make(map[string]model.Value) // the entry after a label entry
	var pending []string
	for _, i := range path {
		if s.tree.Kind(int(i)) == model.KindLabel {
			pending = append(pending, s.tree.ID(int(i)))
			continue
		}
		id := s.idOf(int(i))
		for _, label := range pending {
			after[label] = id
		}
		pending = pending[:0]
		raw := s.entries[i].With("parentId", parent)
		if first, ok := s.tree.Target(int(i)); ok && s.tree.Kind(int(i)) == model.KindCompaction {
			if replacement, ok := after[first]; ok {
				raw = raw.With("firstKeptEntryId", replacement)
			}
		}
		kept = append(kept, raw)
		parent = id
	}
	return kept
}

// relabel returns label entries, chained at the end of a path, for those of its
// entries that have a label.
func (s *Session) relabel(path []model.Value) []model.Value {
	ids := make(map[string]bool, len(path))
	parent := model.Value("null")
	for _, raw := range path {
		parent = raw.Get("id")
		ids[parent.Text()] = true
	}
	var labels []model.Value
	for _, l := range s.labels() {
		if !ids[l.target] {
			continue
		}
		id := newID(func(id string) bool { return ids[id] })
		ids[id] = true
		labels = append(labels, new(model.Builder).
			Text("type", "label").
			Text("id", id).
			Value("parentId", parent).
			Value("timestamp", l.timestamp).
			Text("targetId", l.target).
			Value("label", l.label).
			Object())
		parent = quote(id)
	}
	return labels
}

// A label is one that is in force.
type label struct {
	target    string
	label     model.Value
	timestamp model.Value // of the label entry
}

// labels returns the labels in force. They are in the order in which their targets
// got one, counted anew where one was cleared: that of a JavaScript Map.
func (s *Session) labels() []label {
	var all []label
	at := make(map[string]int)
	for i := range s.entries {
		if s.tree.Kind(i) != model.KindLabel {
			continue
		}
		target, _ := s.tree.Target(i)
		e := model.DecodeEntry(s.entries[i])
		n, set := at[target]
		switch {
		case !e.Label.Truthy():
			if set {
				all[n].label = nil
				delete(at, target)
			}
		case set:
			all[n].label, all[n].timestamp = e.Label, e.Timestamp
		default:
			at[target] = len(all)
			all = append(all, label{target, e.Label, e.Timestamp})
		}
	}
	return slices.DeleteFunc(all, func(l label) bool { return l.label == nil })
}
