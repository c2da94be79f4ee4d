package store

import "sync"

// A Change is what happened to a session.
type Change struct {
	Session *Session
	Kind    ChangeKind
}

// ChangeKind is a kind of Change.
type ChangeKind uint8

// The kinds of changes. Grown means that the session's view is newer, or its file's
// facts (a mode, an mtime) if there is no view yet. A file that was replaced,
// truncated or rewritten is removed and added: a new Session with a new Slot.
const (
	Grown ChangeKind = iota
	Added
	Removed
)

// changes hands out what has happened, in order, from a goroutine of its own, so
// that nobody who changes the store waits for those who listen, and that these may
// take any lock.
type changes struct {
	mu        sync.Mutex
	listeners []func(Change)
	pending   []Change
	wake      chan struct{} // has room for one
	done      chan struct{} // closed by close
	ended     chan struct{} // closed by the goroutine, nil if there is none
	closed    bool
}

func newChanges() *changes {
	return &changes{wake: make(chan struct{}, 1), done: make(chan struct{})}
}

func (c *changes) subscribe(f func(Change)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
	if c.ended == nil && !c.closed {
		c.ended = make(chan struct{})
		go c.run()
	}
}

// push queues what was published already. Nothing is told of a session after its
// removal, and one that grows again before it was told of is told of once.
func (c *changes) push(news ...Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.listeners) == 0 || c.closed {
		return
	}
	for _, n := range news {
		if n.Kind == Grown && (n.Session.gone.Load() || len(c.pending) > 0 && c.pending[len(c.pending)-1] == n) {
			continue
		}
		c.pending = append(c.pending, n)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *changes) run() {
	defer close(c.ended)
	for {
		select {
		case <-c.done:
			return
		case <-c.wake:
		}
		c.mu.Lock()
		news, listeners := c.pending, c.listeners
		c.pending = nil
		c.mu.Unlock()
		for _, n := range news {
			for _, f := range listeners {
				f(n)
			}
		}
	}
}

// close waits for the listener that is being called.
func (c *changes) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.done)
	}
	ended := c.ended
	c.mu.Unlock()
	if ended != nil {
		<-ended
	}
}
