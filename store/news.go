package store

import (
	"os"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// news is what has been told since it was last asked for.
type news struct {
	since   time.Time       // when the first of it came, zero if there is none
	files   map[string]bool // *.jsonl files that were written to, came or went
	names   []string        // other names that came or went
	came    bool            // one of the files came or went
	moved   bool            // one of the names, maybe a watched directory's, was changed
	unknown bool            // events were lost
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
