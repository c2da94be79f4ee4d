package fs

import (
	"sync"
	"time"
)

// refusalTime is for how long a thread that was refused a removal is refused all
// others.
const refusalTime = 5 * time.Second

// Refusals remember which threads were refused a removal not long ago.
type refusals struct {
	mu     sync.Mutex
	thread map[uint32]time.Time
}

// note takes note of a refused removal.
func (r *refusals) note(thread uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for old, at := range r.thread {
		if now.Sub(at) > refusalTime {
			delete(r.thread, old)
		}
	}
	if r.thread == nil {
		r.thread = make(map[uint32]time.Time)
	}
	r.thread[thread] = now
}

// recent tells whether a thread was refused a removal not long ago.
func (r *refusals) recent(thread uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.thread[thread]
	return ok && time.Since(at) <= refusalTime
}
