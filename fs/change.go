package fs

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
	"github.com/pifs/pifs/writeback"
)

// A writable is a File whose text can be written to change its session.
type writable interface {
	File
	// writeable returns the error that a write would meet, as far as that can be
	// known before it is known what is written.
	writeable() error
	// check returns the error that a revision would meet. More may follow its text.
	check(revision) error
	// write makes the text of a revision the file's.
	write(revision) error
}

// A revision is what a writer makes of a file's text.
type revision struct {
	text []byte // the whole text
	// added is what the end of text was appended to the file's, where the writer has
	// done no more than that: the rest may have changed since it was read. Else nil.
	added   []byte
	created bool // the file was new when it was opened
}

// decisive is what is to be done with a file of which each line stands for itself:
// the lines that it is to have, or with adds, to have too.
func (r revision) decisive() (lines []byte, adds bool) {
	if r.added != nil {
		return r.added, true
	}
	return r.text, false
}

// A changeable is a Dir in which names can be made, moved or removed, each in its
// own way.
type changeable interface {
	Dir
	// create returns the file that a new name is to be.
	create(name string) (writable, error)
	// symlink makes name a link to target.
	symlink(target, name string) error
	// rename gives a name of the directory another one.
	rename(from, to string) error
	remove(name string) error
	removeDir(name string) error
}

// fixed refuses all changes. A directory that allows some embeds it.
type fixed struct{}

func (fixed) create(string) (writable, error) { return nil, ErrNotPermitted }
func (fixed) symlink(string, string) error    { return ErrNotPermitted }
func (fixed) rename(string, string) error     { return ErrNotPermitted }
func (fixed) remove(string) error             { return ErrNotPermitted }
func (fixed) removeDir(string) error          { return ErrNotPermitted }

// writeable returns the error that a change of the session would meet now.
func (s *session) writeable() error {
	return s.present(func(s *session) error { return writeback.Check(s.store) })
}

// check returns the error that an append of plan would meet now.
func (s *session) check(plan writeback.Plan) error {
	return s.present(func(s *session) error { return writeback.CheckPlan(s.store, plan) })
}

// present calls f with the session or its heir, while nobody changes it through the tree.
func (s *session) present(f func(*session) error) error {
	if s.tree.options.ReadOnly {
		return ErrReadOnly
	}
	s.appending.Lock()
	heir := s.heir.Load()
	if heir == nil {
		defer s.appending.Unlock()
		return f(s)
	}
	s.appending.Unlock()
	return heir.present(f)
}

// append appends what plan decides to the session's file. What is looked at from now
// on shows it.
func (s *session) append(plan writeback.Plan) error {
	var slot uint32
	err := s.present(func(s *session) (err error) {
		slot, err = s.change(plan)
		return err
	})
	if err == nil {
		s.tree.changed(slot)
	}
	return err
}

// change is append with the lock held. It returns the slot of what the session is then.
func (s *session) change(plan writeback.Plan) (slot uint32, err error) {
	was, _, err := s.view()
	if err != nil {
		return 0, err
	}
	o := writeback.Options{NoSync: s.tree.options.NoSync}
	if !migrates(was) {
		return s.store.Slot, writeback.Append(s.store, o, plan)
	}
	t := s.tree
	t.mu.Lock()
	t.migrating[s.store.Slot] = s
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		delete(t.migrating, s.store.Slot)
		t.mu.Unlock()
	}()
	if err := writeback.Append(s.store, o, plan); err != nil {
		return 0, err
	}
	return s.inherit(was).store.Slot, nil
}

// line is what was written as one line, without the newline that ends it.
func line(text []byte) string { return string(bytes.TrimSuffix(text, []byte{'\n'})) }

// wholeCharacters is text without the beginning of a character at its end, the rest
// of which may be to come.
func wholeCharacters(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) && !utf8.FullRune(text[at:]) {
			return text[:at]
		}
	}
	return text
}

// wholeLines is text up to its last newline: what more text can't change.
func wholeLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// namedEntries returns the ids of the entries that text names, one a line: ID,
// ID.json, ID.md or a path that ends so.
func namedEntries(v *store.View, text []byte) ([]string, error) {
	if err := writeback.CheckText(string(text)); err != nil {
		return nil, err
	}
	var ids []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		i, ok := namedEntry(v.Tree, line)
		if !ok {
			return nil, writeback.ErrUnknownEntry
		}
		id := v.Tree.ID(i)
		if err := writeback.CheckTarget(v, id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// namedEntry returns the entry that a user means by word.
func namedEntry(t *tree.Tree, word string) (int, bool) {
	if i, ok := t.Lookup(word); ok {
		return i, true
	}
	base := word[strings.LastIndexByte(word, '/')+1:]
	for _, name := range []string{base, strings.TrimSuffix(base, ".json"), strings.TrimSuffix(base, ".md")} {
		if i, ok := t.Lookup(name); ok {
			return i, true
		}
		if i, ok := findEntry(t, name); ok {
			return i, true
		}
	}
	return 0, false
}

// newLabel is the label that a user means by a name in the labels directory.
// Names that editors and desktops make for themselves are refused, so that those
// fall back to writing in place.
func newLabel(name string) (string, error) {
	if name == "4913" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") {
		return "", ErrNotPermitted
	}
	label, ok := model.ParseFileName(name)
	if !ok || label == "" {
		return "", writeback.ErrText
	}
	return label, writeback.CheckLabel(label)
}
