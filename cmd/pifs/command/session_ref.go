package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// sessionHelp says in the commands' help how to name a session.
const sessionHelp = `SESSION is a path in a mount, the session's file, its id, or the beginning of its
id or of its file's name that no other session has.`

// A sessionRef is a session that a user has named, in a store that is open.
type sessionRef struct {
	*store.Session
	entry string // the id of the entry that was named with it, "" if none was
	store *openStore
}

func (r sessionRef) Close() error { return r.store.Close() }

// openSession opens the session that arg names. The caller closes it.
func (o storeOptions) openSession(ctx context.Context, arg string) (sessionRef, error) {
	if file, below, ok := sessionFile(arg); ok {
		return openSessionFile(ctx, file, entryOf(below))
	}
	if err := inDeadMount(arg); err != nil {
		return sessionRef{}, err
	}
	if file, below, ok := missingPart(arg); ok {
		return sessionRef{}, explainMissing(ctx, arg, file, below)
	}
	return o.findSession(ctx, arg)
}

// missingPart is sessionFile for a path that is not there, but would be below the
// directory of a session in a mount.
func missingPart(path string) (file, below string, ok bool) {
	if !strings.ContainsRune(path, '/') { // an id, wherever one stands
		return "", "", false
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", "", false
	}
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			file, below, ok = sessionFile(dir)
			return file, filepath.Join(below, path[len(dir):]), ok
		}
	}
	return "", "", false
}

// explainMissing says what is not there in a session: the entry of a path, if it is
// that of one.
func explainMissing(ctx context.Context, path, file, below string) error {
	ref, err := openSessionFile(ctx, file, entryOf(below))
	if err != nil {
		return err
	}
	defer ref.Close()
	view, err := ref.View()
	if err != nil {
		return err
	}
	if _, ok := view.Tree.Lookup(ref.entry); !ok && ref.entry != "" {
		return ref.noEntry()
	}
	return fmt.Errorf("%s: %w", path, syscall.ENOENT)
}

// inDeadMount returns what is wrong with a path into a mount whose daemon is dead, nil
// for all others.
func inDeadMount(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, syscall.ENOTCONN) {
		return nil
	}
	all, err := mounts()
	if err != nil {
		return err
	}
	if _, mountpoint, ok := mountOf(all, path); ok {
		return fmt.Errorf("%s: %w", path, deadMountError(mountpoint))
	}
	return nil
}

// openWholeSession is openSession for a command to which an entry is no matter.
func (o storeOptions) openWholeSession(ctx context.Context, command, arg string) (sessionRef, error) {
	at := strings.LastIndexByte(arg, '@')
	if _, _, isPath := sessionFile(arg); !isPath && at >= 0 {
		return sessionRef{}, withCode(ExitUsage, fmt.Errorf("%s takes no @ENTRY: it is about all of session %s", command, arg[:at]))
	}
	return o.openSession(ctx, arg)
}

// openSessionEntry is openSession for SESSION@ENTRY.
func (o storeOptions) openSessionEntry(ctx context.Context, arg string) (sessionRef, error) {
	at := strings.LastIndexByte(arg, '@')
	if _, _, isPath := sessionFile(arg); isPath || at < 0 {
		return o.openSession(ctx, arg)
	}
	if at > 0 && at == len(arg)-1 { // an unset variable, not the whole session
		return sessionRef{}, withCode(ExitUsage, fmt.Errorf("ENTRY is empty in %q: SESSION alone means all of it", arg))
	}
	ref, err := o.openSession(ctx, arg[:at])
	ref.entry = arg[at+1:]
	return ref, err
}

// noEntry says that the session does not have the entry that was named with it.
func (r sessionRef) noEntry() error {
	return fmt.Errorf("no entry %s in session %s", r.entry, oneLine(r.Header().ID.Text(), 256))
}

// explain says why the session can't be written to, if that is what failed.
func (r sessionRef) explain(err error) error {
	if errors.Is(err, writeback.ErrReadOnly) {
		return fmt.Errorf("%s can only be read: %s", r.Path, r.ReadOnly())
	}
	return err
}

// checkText refuses a name or label that is a path of a session, as a pattern that
// matches two of them gives it. takes says in words what the command takes.
func checkText(text, takes string) error {
	if leadsToSession(text) {
		return fmt.Errorf("%q leads to a session, too: %s", text, takes)
	}
	return nil
}

// leadsToSession tells whether a path is there and leads into a mount, or to a
// session file. A word may be the same as the name of a part of a session, such as a
// label, in the working directory.
func leadsToSession(path string) bool {
	if path == "" {
		return false
	}
	word := !strings.ContainsRune(path, '/')
	if file, below, ok := sessionFile(path); ok {
		return strings.HasSuffix(file, ".jsonl") && (below == "" || !word)
	}
	if word {
		return false
	}
	all, err := mounts()
	if err != nil {
		return false
	}
	_, _, ok := mountOf(all, path)
	return ok
}

// sessionFile returns the session file that a path leads to: itself, or, in a
// mount, that of the session around it. There the path can go on below the
// session's directory.
func sessionFile(path string) (file, below string, ok bool) {
	if path == "" { // an unset variable, not the working directory
		return "", "", false
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", "", false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", "", false
	}
	for dir := path; dir != "/"; dir = filepath.Dir(dir) {
		if file, err := os.Readlink(filepath.Join(dir, "session.jsonl")); err == nil && filepath.IsAbs(file) {
			return file, strings.TrimPrefix(path[len(dir):], "/"), true
		}
	}
	info, err := os.Stat(path)
	return path, "", err == nil && info.Mode().IsRegular()
}

// entryOf returns the id of the entry that a path below a session's directory is
// about: branches/<id> and what is in it, entries/<id>.md.
func entryOf(path string) string {
	elements := strings.SplitN(path, "/", 3)
	if len(elements) < 2 {
		return ""
	}
	name := elements[1]
	switch elements[0] {
	case "branches":
	case "entries":
		name = strings.TrimSuffix(name, filepath.Ext(name))
	default:
		return ""
	}
	id, _ := model.ParseFileName(name)
	return id
}

// openSessionFile opens a session by its file, wherever that is.
func openSessionFile(ctx context.Context, file, entry string) (sessionRef, error) {
	if !strings.HasSuffix(file, ".jsonl") {
		return sessionRef{}, fmt.Errorf("%s is no session file: the name of one ends in .jsonl", file)
	}
	ref, err := storeOptions{dirs: []string{filepath.Dir(file)}}.pick(ctx, func(st *store.Store) (*store.Session, error) {
		found := matching(st, func(s *store.Session) bool { return s.Path == file })
		if len(found) == 0 {
			return nil, noSession(st, file)
		}
		return found[0], nil
	})
	ref.entry = entry
	return ref, err
}

// noSession says why a file is none of a store's sessions, as far as that is known.
func noSession(st *store.Store, file string) error {
	for _, skipped := range st.Skipped() {
		switch {
		case skipped.Path != file:
		case skipped.Unreadable:
			return fmt.Errorf("%s %s", file, skipped.Reason)
		default:
			return fmt.Errorf("%s is no session file: %s", file, skipped.Reason)
		}
	}
	return fmt.Errorf("%s is no session file", file)
}

// findSession looks a session up by its id or its file's name, or the beginning
// of one of them.
func (o storeOptions) findSession(ctx context.Context, name string) (sessionRef, error) {
	return o.pick(ctx, func(st *store.Store) (*store.Session, error) {
		found := called(st, name)
		switch len(found) {
		case 0:
			return nil, fmt.Errorf("no session is called %q: pifs list has their ids", name)
		case 1:
			return found[0], nil
		}
		return nil, fmt.Errorf("%d sessions are called %q, %s and %s among them: the column SESSION of 'pifs list' tells them apart, or their paths",
			len(found), name, found[0].Path, found[1].Path)
	})
}

// called returns the sessions that have a name as id or as their file's, or else those
// of which one of them begins so.
func called(st *store.Store, name string) []*store.Session {
	if name == "" {
		return nil
	}
	found := matching(st, func(s *store.Session) bool { return s.Header().ID.Text() == name || s.Name() == name })
	if len(found) > 0 {
		return found
	}
	return matching(st, func(s *store.Session) bool {
		return strings.HasPrefix(s.Header().ID.Text(), name) || strings.HasPrefix(s.Name(), name)
	})
}

// matching returns the sessions that are wanted.
func matching(st *store.Store, wanted func(*store.Session) bool) (found []*store.Session) {
	for _, s := range st.Sessions() {
		if wanted(s) {
			found = append(found, s)
		}
	}
	return found
}

// pick opens the store, and leaves it open for the session that choose has chosen.
func (o storeOptions) pick(ctx context.Context, choose func(*store.Store) (*store.Session, error)) (sessionRef, error) {
	st, _, err := o.open(ctx, false, store.Options{Memory: memoryFile()})
	if err != nil {
		return sessionRef{}, err
	}
	session, err := choose(st.Store)
	if err != nil {
		st.Close()
		return sessionRef{}, err
	}
	return sessionRef{Session: session, store: st}, nil
}
