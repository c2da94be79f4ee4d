package store

import (
	"maps"
	"os"
	"strings"
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

// news is what has been told since it was last asked for.
type news struct {
	since   time.Time       // when the first of it came, zero if there is none
	files   map[string]bool // *.jsonl files that were written to, came or went
	names   []string        // other names that came or went
	came    bool            // one of the files came or went
	moved   bool            // one of the names, maybe a watched directory's, was changed
	unknown bool            // events were lost
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

// gather notes what the kernel tells.
func (w *watcher) gather() {
	for {
		select {
		case ev, ok := <-w.notify.Events:
			if !ok {
				return
			}
			w.note(ev)
		case _, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			w.add(func(n *news) { n.unknown = true }) // the kernel's queue has overflown
		}
	}
}

func (w *watcher) note(ev fsnotify.Event) {
	comesOrGoes := ev.Has(fsnotify.Create) || ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)
	switch {
	case strings.HasSuffix(ev.Name, suffix):
		w.add(func(n *news) {
			n.files[ev.Name] = true
			n.came = n.came || comesOrGoes
		})
	case ev.Op == fsnotify.Create && !mayHoldFiles(ev.Name):
	case comesOrGoes || ev.Has(fsnotify.Chmod):
		w.add(func(n *news) {
			n.names = append(n.names, ev.Name)
			n.moved = n.moved || ev.Has(fsnotify.Rename)
		})
	}
}

// mayHoldFiles tells whether something that came is a directory or a link. Other
// programs' lock files, which come and go with each append, are not.
func mayHoldFiles(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && (info.IsDir() || info.Mode()&os.ModeSymlink != 0)
}

// add adds to the news and wakes the follower.
func (w *watcher) add(change func(*news)) {
	w.mu.Lock()
	if w.news.since.IsZero() {
		w.news = news{since: time.Now(), files: make(map[string]bool)}
	}
	change(&w.news)
	w.mu.Unlock()
	w.rouse()
}

func (w *watcher) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
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

// follow brings the store in line with what was gathered, polls what the kernel
// does not tell of, and now and then looks at everything.
func (w *watcher) follow() {
	var (
		timer      = time.NewTimer(0)
		polled     = time.Now()
		everything = polled
		notBefore  time.Time // work that comes in faster than it is done is gathered for longer
	)
	defer timer.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-w.wake:
		case <-timer.C:
		}
		now := time.Now()
		switch {
		case now.Sub(everything) >= w.pace.everything:
			everything, polled = now, now
			w.everything()
		case w.silent.Load() && now.Sub(polled) >= w.pace.poll:
			polled = now
			w.store.update((*file).silent)
		}
		if now.After(notBefore) {
			w.followNews(now)
		}
		w.followDue(now)
		end := time.Now()
		notBefore = end.Add(end.Sub(now) / 2)
		timer.Reset(time.Until(w.next(polled, everything, notBefore)))
	}
}

// next returns when there is something to do again.
func (w *watcher) next(polled, everything, notBefore time.Time) time.Time {
	next := everything.Add(w.pace.everything)
	if poll := polled.Add(w.pace.poll); w.silent.Load() && poll.Before(next) {
		next = poll
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.news.since.IsZero() {
		at := w.news.since.Add(w.pace.gather)
		if at.Before(notBefore) {
			at = notBefore
		}
		if at.Before(next) {
			next = at
		}
	}
	for _, at := range w.due {
		if at.Before(next) {
			next = at
		}
	}
	return next
}

// followNews looks at what was told of.
func (w *watcher) followNews(now time.Time) {
	w.mu.Lock()
	n := w.news
	if n.since.IsZero() || now.Sub(n.since) < w.pace.gather {
		w.mu.Unlock()
		return
	}
	w.news = news{}
	w.mu.Unlock()

	if n.unknown {
		w.everything()
		return
	}
	sessions, others := w.store.sessionsAt(n)
	if others {
		w.store.update(func(f *file) bool { return n.files[f.path] })
		return
	}
	w.store.lookAt(sessions)
}

// followDue looks at the sessions for which that is due.
func (w *watcher) followDue(now time.Time) {
	var sessions []*Session
	w.mu.Lock()
	maps.DeleteFunc(w.due, func(s *Session, at time.Time) bool {
		if at.After(now) {
			return false
		}
		sessions = append(sessions, s)
		return true
	})
	w.mu.Unlock()
	w.store.lookAt(sessions)
}

// everything looks at all directories and files, and watches the directories anew:
// a watch ends without a word when a file system is unmounted.
func (w *watcher) everything() {
	w.store.reconciling.Lock()
	clear(w.watched)
	w.store.reconciling.Unlock()
	w.store.update(allFiles)
}
