package store

import (
	"maps"
	"time"
)

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
