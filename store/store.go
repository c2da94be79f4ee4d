// Package store finds the session files below a store's directories, scans each
// once into an index of its entries, follows their growth, and reads bodies when
// they are asked for. It never writes to a store.
package store

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// Options of Open.
type Options struct {
	// Watch follows changes by inotify, and by polling where that is silent.
	// Without it the store is read as it is when it is opened.
	Watch bool

	// Memory is a file in which the store remembers what lists tell of its
	// sessions, so that those that nobody has written to need not be scanned for
	// the next list. It is made by Close; one that is missing or damaged is as
	// good as none. "" for none.
	//
	// In the directory index beside it the store keeps what it has made of session
	// files, so that the next process does not scan them again either, or only what
	// they have grown by: see Session.Keep, too.
	Memory string

	pace    pace
	unheard bool // do as if the kernel told of no changes
}

// A Store is the set of session files below one or more directories. It is safe
// for concurrent use.
//
// Locks are taken in this order: reconciling, Session.mu, watcher.mu,
// descriptors.mu, changes.mu, shelf.mu. reconciling is held while directories and headers
// are read, Session.mu while one file is scanned; who only wants to see what is
// there takes neither.
type Store struct {
	state   atomic.Pointer[state]
	files   *descriptors
	changes *changes
	counts  counts
	memory  *memory
	shelf   *shelf
	watcher *watcher // nil if the store is not watched
	closed  atomic.Bool

	reconciling sync.Mutex // guards what follows: one change of the set of sessions at a time
	survey      survey
	table       map[string]*file
	slot        uint32
	database    string // of another program
}

// Open finds the sessions below the directories. It reads their headers only.
// ErrNoStore, wrapped with the path, if a directory is not there, cannot be read, is
// in a mount of pifs or has only another program's database.
func Open(ctx context.Context, dirs []string, o Options) (*Store, error) {
	roots, err := rootsOf(dirs)
	if err != nil {
		return nil, err
	}
	s := &Store{files: newDescriptors(), changes: newChanges(), memory: newMemory(o.Memory), shelf: newShelf(o.Memory), survey: survey{roots: roots}}
	s.state.Store(&state{})
	if o.Watch {
		s.watcher = newWatcher(s, o)
		s.survey.watch = s.watcher.watch
		s.watcher.start()
	}
	s.update(allFiles)
	if err := cmp.Or(ctx.Err(), s.onlyDatabase()); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// onlyDatabase returns an error if another program keeps its sessions here in a
// database, and there is nothing else.
func (s *Store) onlyDatabase() error {
	s.reconciling.Lock()
	defer s.reconciling.Unlock()
	if s.database == "" || len(s.table) > 0 {
		return nil
	}
	return fmt.Errorf("%w: there is only a database, %s (sessions are read from *.jsonl files)", ErrNoStore, s.database)
}

// rootsOf makes the directories absolute, sorts them and makes sure that they can
// be read.
func rootsOf(dirs []string) ([]string, error) {
	mounts := ownMounts()
	roots := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		if err := checkRoot(abs, mounts); err != nil {
			return nil, err
		}
		roots = append(roots, abs)
	}
	slices.Sort(roots)
	return slices.Compact(roots), nil
}

// checkRoot returns why a directory can be no store.
func checkRoot(dir string, mounts map[uint64]bool) error {
	switch f, err := statDirectory(dir, mounts); {
	case isGone(err):
		return fmt.Errorf("%w: %s does not exist", ErrNoStore, dir)
	case err == errOwnMount:
		return fmt.Errorf("%w: %s is in a mount of pifs, not what that shows", ErrNoStore, dir)
	case err != nil:
		return fmt.Errorf("%w: %s %s", ErrNoStore, dir, reasonOf(err))
	case f.mode&syscall.S_IFMT != syscall.S_IFDIR:
		return fmt.Errorf("%w: %s is no directory", ErrNoStore, dir)
	}
	// One that may not be listed would look as if it were empty.
	file, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("%w: %s %s", ErrNoStore, dir, reasonOf(err))
	}
	return file.Close()
}

// Close ends the watching, writes what is remembered and closes all files. It waits for the subscriber that is
// being called, so a subscriber must not call it.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if s.watcher != nil {
		s.watcher.close()
	}
	s.changes.close()
	s.files.close()
	s.memory.save(s.Sessions())
	s.keepGrown()
	s.shelf.close(s.Sessions())
	return nil
}

// Flush writes to disk what is kept for later processes (see Options.Memory) and not
// yet written. Close does so, too; it is no error if that fails.
func (s *Store) Flush() { s.shelf.flush() }

// Sessions returns the sessions, sorted by Rel. The slice must not be changed.
func (s *Store) Sessions() []*Session { return s.state.Load().sessions }

// Skipped is a file that is no session, or a directory that cannot be read.
type Skipped struct {
	Path       string
	Reason     string
	Unreadable bool // what it is cannot be known: the system does not let it be read
}

// Skipped returns the *.jsonl files that are no sessions and what could not be
// read, and why, sorted by path. The slice must not be changed.
func (s *Store) Skipped() []Skipped { return s.state.Load().skipped }

// Generation counts the changes of the set of sessions.
func (s *Store) Generation() uint64 { return s.state.Load().generation }

// Subscribe has f called, from one goroutine and with no lock held, after each
// change that the store has seen and published.
func (s *Store) Subscribe(f func(Change)) { s.changes.subscribe(f) }

// Rescan looks at all directories and files now. In a Store that watches that is
// never needed, but for who cannot wait.
func (s *Store) Rescan() { s.update(allFiles) }

// watches tells whether changes are followed.
func (s *Store) watches() bool { return s.watcher != nil }
