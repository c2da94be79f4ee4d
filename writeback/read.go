package writeback

import (
	"fmt"
	"slices"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// Persisted tells whether the session has a file, or will have one: pi's
// isPersisted.
func (s *Session) Persisted() bool { return s.persisted }

// Cwd returns the working directory: pi's getCwd.
func (s *Session) Cwd() string { return s.cwd }

// Dir returns the directory for new files, "" in memory: pi's getSessionDir.
func (s *Session) Dir() string { return s.dir }

// UsesDefaultDir tells whether that is pi's own directory for the cwd: pi's
// usesDefaultSessionDir.
func (s *Session) UsesDefaultDir() bool {
	return s.dir != "" && resolvePath(s.dir) == DefaultSessionDir(s.cwd)
}

// ID returns the session's id: pi's getSessionId.
func (s *Session) ID() string { return s.header.Get("id").Text() }

// File returns the path of the session's file, which may be unborn, "" in memory:
// pi's getSessionFile.
func (s *Session) File() string { return s.path }

// Header returns the header: pi's getHeader.
func (s *Session) Header() model.Header { return model.DecodeHeader(s.header) }

// Name returns the display name, "" if there is none: pi's getSessionName.
func (s *Session) Name() string {
	name, _ := s.tree.Name()
	return name
}

// EntryCount returns the number of entries: pi's getEntryCount.
func (s *Session) EntryCount() int { return len(s.entries) }

// Entries returns the entries in file order: pi's getEntries.
func (s *Session) Entries() []model.Entry {
	all := make([]model.Entry, len(s.entries))
	for i := range all {
		all[i] = model.DecodeEntry(s.entries[i])
	}
	return all
}

// Entry returns the entry called id: pi's getEntry.
func (s *Session) Entry(id string) (e model.Entry, ok bool) {
	i, ok := s.tree.Lookup(id)
	if !ok {
		return model.Entry{}, false
	}
	return model.DecodeEntry(s.entries[i]), true
}

// LeafID returns the id of the current position, "" before any entry: pi's
// getLeafId.
func (s *Session) LeafID() string {
	if s.leaf == tree.None {
		return ""
	}
	return s.tree.ID(s.leaf)
}

// LeafEntry returns the entry at the current position: pi's getLeafEntry.
func (s *Session) LeafEntry() (e model.Entry, ok bool) {
	if s.leaf == tree.None {
		return model.Entry{}, false
	}
	return model.DecodeEntry(s.entries[s.leaf]), true
}

// Label returns the label of an entry, "" if it has none: pi's getLabel.
func (s *Session) Label(id string) string {
	i, ok := s.tree.Lookup(id)
	if !ok {
		return ""
	}
	return s.tree.Label(i)
}

// Children returns the entries below the one called id, in file order: pi's
// getChildren.
func (s *Session) Children(id string) []model.Entry {
	i, ok := s.tree.Lookup(id)
	if !ok {
		return nil
	}
	return s.decoded(sorted(s.tree.Children(i)))
}

// Path returns the entries from the root to the one called id, or to the leaf if
// id is "": pi's getBranch. Nothing if there is no such entry.
func (s *Session) Path(id string) []model.Entry {
	i := s.leaf
	if id != "" {
		found, ok := s.tree.Lookup(id)
		if !ok {
			return nil
		}
		i = found
	}
	if i == tree.None {
		return nil
	}
	return s.decoded(s.tree.Path(i))
}

// A Node is an entry and what is below it.
type Node struct {
	Entry          model.Entry
	Children       []*Node     // by timestamp
	Label          string      // "" if it has none
	LabelTimestamp model.Value // of the label entry that gave it
}

// Tree returns the roots, in file order, and all that is below them: pi's getTree.
func (s *Session) Tree() []*Node {
	nodes := make([]*Node, len(s.entries))
	for i, e := range s.Entries() {
		nodes[i] = &Node{Entry: e}
	}
	for _, l := range s.labels() {
		if i, ok := s.tree.Lookup(l.target); ok {
			nodes[i].Label, nodes[i].LabelTimestamp = l.label.Text(), l.timestamp
		}
	}
	for i, n := range nodes {
		for _, child := range s.tree.Children(i) {
			n.Children = append(n.Children, nodes[child])
		}
	}
	var roots []*Node
	for _, i := range sorted(s.tree.Children(tree.None)) {
		roots = append(roots, nodes[i])
	}
	return roots
}

// decoded returns the entries with these indexes.
func (s *Session) decoded(indexes []int32) []model.Entry {
	entries := make([]model.Entry, len(indexes))
	for n, i := range indexes {
		entries[n] = model.DecodeEntry(s.entries[i])
	}
	return entries
}

// optional returns entry i, nil for None.
func (s *Session) optional(i int) *model.Entry {
	if i == tree.None {
		return nil
	}
	e := model.DecodeEntry(s.entries[i])
	return &e
}

// idOf returns the id of entry i as it is stored, nil if it has none: what the
// parentId of its child is. The id of None is null.
func (s *Session) idOf(i int) model.Value {
	if i == tree.None {
		return model.Value("null")
	}
	if id := s.tree.ID(i); !ambiguous(id) {
		return quote(id)
	}
	return s.entries[i].Get("id")
}

// has tells whether there is an entry called id.
func (s *Session) has(id string) bool {
	_, ok := s.tree.Lookup(id)
	return ok
}

// find returns the entry whose id is id, or ErrUnknownEntry.
func (s *Session) find(id string) (int, error) {
	i, ok := s.tree.Lookup(id)
	if !ok || s.tree.Shadowed(i) || s.idOf(i) == nil {
		return 0, fmt.Errorf("%w: %q", ErrUnknownEntry, id)
	}
	return i, nil
}

// findOrNone is find that takes "" for None.
func (s *Session) findOrNone(id string) (int, error) {
	if id == "" {
		return tree.None, nil
	}
	return s.find(id)
}

// sorted returns indexes in file order.
func sorted(indexes []int32) []int32 {
	indexes = slices.Clone(indexes)
	slices.Sort(indexes)
	return indexes
}
