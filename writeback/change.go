package writeback

import (
	"fmt"
	"strings"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// Options of what writes to session files.
type Options struct {
	NoSync bool // do not wait for the disk
	FS     FS   // the operating system; nil means OS
}

func (o Options) writer() writer {
	if o.FS == nil {
		o.FS = OS{}
	}
	return writer{fs: o.FS, sync: !o.NoSync}
}

// A Change is one entry to append.
type Change struct {
	// Name, if not nil, is the session's new display name ("" clears it). It is
	// stored as [CleanName] gives it.
	Name *string
	// Target is the id of the entry to label with Label ("" clears it).
	Target, Label string
}

// A Plan decides from the session as it is what is to change. It may be called
// several times, and must not call Append.
type Plan func(v *store.View) ([]Change, error)

// Append lets plan decide, from the session as it is under the lock, what to
// append, and appends it as one write, each entry as pi would write it: a child of
// the one before, the first of the session's current leaf. Changes that set what
// is so already are left out; if none is left nothing is written.
//
// If Append fails, the old entries are as they were, and each new one is there
// whole or not at all. For the errors see [Errno]; [Check] gives most of them
// without writing.
func Append(s *store.Session, o Options, plan Plan) error {
	if err := readable(s); err != nil {
		return err
	}
	if _, err := s.Refresh(); err != nil {
		return stale(err)
	}
	w, t := o.writer(), target{first: s, present: s}
	defer t.close()
	err := w.append(s.Path, func() (addition, error) {
		v, err := t.look()
		if err != nil {
			return addition{}, stale(err)
		}
		lines, err := compose(v, plan)
		if err != nil || len(lines) == 0 || v.Version == migrate.Version {
			return addition{lines: lines}, err
		}
		return addition{replace: w.migration(s.Path, lines)}, nil
	})
	if err == nil {
		_, _ = s.Refresh() // So that the caller reads its own write.
	}
	return err
}

// compose returns the lines of what plan changes in v.
func compose(v *store.View, plan Plan) ([]byte, error) {
	changes, err := plan(v)
	if err != nil {
		return nil, err
	}
	c := composer{view: v, labels: make(map[int]string), drawn: make(map[string]bool)}
	c.name, _ = v.Tree.Name()
	if c.parent, err = idOf(v, v.Tree.Leaf()); err != nil {
		return nil, err
	}
	for _, change := range changes {
		if change.Name != nil {
			err = c.rename(*change.Name)
		} else {
			err = c.label(change.Target, change.Label)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.lines, nil
}

// A composer writes the entries of one append.
type composer struct {
	view   *store.View
	parent model.Value
	lines  []byte

	// What the session will be after the lines so far.
	name   string
	labels map[int]string
	drawn  map[string]bool
}

func (c *composer) rename(name string) error {
	name, err := CleanName(name)
	if err != nil || name == c.name {
		return err
	}
	c.name = name
	c.add(c.next().start("session_info").Text("name", name))
	return nil
}

func (c *composer) label(target, label string) error {
	if err := CheckText(label); err != nil {
		return err
	}
	i, id, err := findTarget(c.view, target)
	if err != nil {
		return err
	}
	current, ok := c.labels[i]
	if !ok {
		current = c.view.Tree.Label(i)
	}
	if label == current {
		return nil
	}
	c.labels[i] = label
	entry := c.next().start("label").Value("targetId", id)
	if label != "" { // pi leaves the key out to clear a label.
		entry.Text("label", label)
	}
	c.add(entry)
	return nil
}

// CheckTarget returns ErrUnknownEntry if the entry called target is not there or has
// no id that a label could name it by.
func CheckTarget(v *store.View, target string) error {
	_, _, err := findTarget(v, target)
	return err
}

// findTarget returns the entry called target and its id as it is stored.
func findTarget(v *store.View, target string) (i int, id model.Value, err error) {
	i, ok := v.Tree.Lookup(target)
	if !ok {
		return 0, nil, fmt.Errorf("%w: %q", ErrUnknownEntry, target)
	}
	id, err = idOf(v, i)
	if err == nil && (id == nil || v.Tree.Shadowed(i)) {
		err = fmt.Errorf("%w: %q has no id of its own", ErrUnknownEntry, target)
	}
	return i, id, err
}

// next returns the place of the next entry.
func (c *composer) next() place {
	p := place{parent: c.parent, timestamp: now()}
	p.id = newID(func(id string) bool {
		_, taken := c.view.Tree.Lookup(id)
		return taken || c.drawn[id]
	})
	c.drawn[p.id] = true
	c.parent = quote(p.id)
	return p
}

func (c *composer) add(entry *model.Builder) {
	c.lines = append(append(c.lines, entry.Object()...), '\n')
}

// idOf returns the id of entry i as it is stored, nil if it has none: what the
// parentId of its child is. The id of None is null.
func idOf(v *store.View, i int) (model.Value, error) {
	if i == tree.None {
		return model.Value("null"), nil
	}
	id := v.Tree.ID(i)
	if !ambiguous(id) {
		return quote(id), nil
	}
	e, err := v.Entry(i)
	return e.ID, err
}

// ambiguous tells that a tree may call an entry id that has another id or none:
// ids that are no strings are called by their JSON text, and those that are
// missing by their line.
func ambiguous(id string) bool {
	return strings.HasPrefix(id, "line-") || model.Valid([]byte(id))
}
