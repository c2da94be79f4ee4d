package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pace is how often a watcher does what.
type pace struct {
	// gather is how long events are gathered before they are followed: pi writes
	// several entries in one go.
	gather time.Duration
	// poll is the time between two looks at what the kernel does not tell of.
	poll time.Duration
	// everything is the time between two looks at everything, for changes of which
	// no event came: an unmounted file system, a root that was moved away.
	everything time.Duration
}

var usualPace = pace{gather: 2 * time.Millisecond, poll: 500 * time.Millisecond, everything: 30 * time.Second}

// A watcher follows the changes of a store's directories. One goroutine gathers
// what the kernel tells, so that its queue does not overflow while another one
// reads what has changed.
type watcher struct {
	store  *Store
	pace   pace
	notify *fsnotify.Watcher // nil if the kernel has no more of them
	silent atomic.Bool       // there are directories or files that must be polled
	quit   chan struct{}
	wake   chan struct{} // has room for one
	tasks  sync.WaitGroup

	// Guarded by Store.reconciling:
	watched map[string]fileID
	remote  map[uint64]bool // by device

	mu   sync.Mutex
	news news
	due  map[*Session]time.Time // when to look at a session again
}

func newWatcher(s *Store, o Options) *watcher {
	w := &watcher{
		store:   s,
		pace:    o.pace,
		quit:    make(chan struct{}),
		wake:    make(chan struct{}, 1),
		watched: make(map[string]fileID),
		remote:  make(map[uint64]bool),
		due:     make(map[*Session]time.Time),
	}
	if w.pace == (pace{}) {
		w.pace = usualPace
	}
	if !o.unheard {
		// If there is none, all is polled.
		w.notify, _ = fsnotify.NewWatcher()
	}
	return w
}

// start begins to gather and follow changes.
func (w *watcher) start() {
	if w.notify != nil {
		w.tasks.Go(w.gather)
	}
	w.tasks.Go(w.follow)
}

func (w *watcher) close() {
	close(w.quit)
	if w.notify != nil {
		w.notify.Close()
	}
	w.tasks.Wait()
}

// watch has the kernel tell of changes in a directory. It returns whether that
// will tell of all of them. The caller holds Store.reconciling.
func (w *watcher) watch(path string, id fileID) bool {
	remote, known := w.remote[id.dev]
	if !known {
		remote = isRemote(path)
		w.remote[id.dev] = remote
	}
	if w.notify == nil {
		return false
	}
	if w.watched[path] == id {
		return !remote
	}
	if w.notify.Add(path) != nil {
		return false // ENOSPC: fs.inotify.max_user_watches is used up
	}
	w.watched[path] = id
	return !remote
}

// settle takes note of what a survey has found: which directories need no watch any
// more, and whether there is something to poll. The caller holds
// Store.reconciling.
func (w *watcher) settle(listings map[string]*listing, silent bool) {
	if w.silent.Swap(silent) != silent {
		w.rouse()
	}
	for path := range w.watched {
		if listings[path] == nil {
			delete(w.watched, path)
			// The kernel has forgotten deleted directories by itself; this is for
			// those that a link has led to.
			_ = w.notify.Remove(path)
		}
	}
}

// unwatch takes note of directories that the kernel may not watch any more. Those
// that are still there are watched anew at the next survey, which does no harm if
// they still were. The caller holds Store.reconciling.
func (w *watcher) unwatch(n news) {
	if n.moved {
		clear(w.watched) // package fsnotify drops the watch of a directory that is moved
	}
	for _, path := range n.names {
		delete(w.watched, path)
	}
	for path := range n.files {
		delete(w.watched, path)
	}
}

// schedule has a session looked at again after a while.
func (w *watcher) schedule(s *Session, after time.Duration) {
	at := time.Now().Add(after)
	w.mu.Lock()
	if old, ok := w.due[s]; !ok || at.Before(old) {
		w.due[s] = at
	}
	w.mu.Unlock()
	w.rouse()
}
