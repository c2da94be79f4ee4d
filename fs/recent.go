package fs

import (
	"sync"
	"time"
)

// refusalTime is for how long a thread that was refused a removal is refused all
// others.
const refusalTime = 5 * time.Second

// removalTime is for how long a thread that has removed a session's name does not
// find it, unless it has been given another since: mv, install and cp over a file
// remove it, and then make it anew where there must be none.
const removalTime = time.Second

// A removal is what a thread has removed the name from.
type removal struct {
	thread  uint32
	session ID
}

// Recent remembers for a time what has happened to whom.
type recent[K comparable] struct {
	lasts time.Duration
	mu    sync.Mutex
	at    map[K]time.Time
}

// note takes note of what happens to k now.
func (r *recent[K]) note(k K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for old, at := range r.at {
		if now.Sub(at) > r.lasts {
			delete(r.at, old)
		}
	}
	if r.at == nil {
		r.at = make(map[K]time.Time)
	}
	r.at[k] = now
}

// has tells whether it happened to k not long ago.
func (r *recent[K]) has(k K) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[k]
	return ok && time.Since(at) <= r.lasts
}

func (r *recent[K]) forget(k K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.at, k)
}
