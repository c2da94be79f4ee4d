package store

import (
	"container/list"
	"sync"
)

// overheadBytes is about what a value costs beside itself: its places in the map and
// the list. Another eighth of its size is for the collector, which needs room for what
// has been given up and not yet freed, or it has to run all the time.
const overheadBytes = 192

// charge is what a value of the given size takes from the budget.
func charge(sizeBytes int64) int64 { return sizeBytes + sizeBytes/8 + overheadBytes }

// A Cache keeps computed values within a budget of bytes; the least recently
// used go. One computation a key at a time: others wait for its result.
//
// One lock guards all of it. It is held for a look-up in a map only, which takes a
// hundredth of what a value takes to be computed or copied.
type Cache struct {
	budget int64

	mu      sync.Mutex
	entries map[Key]*list.Element
	order   list.List // of *cached, the last used first
	flights map[Key]*flight
	large   *cached // the newest value that is too large for the list
	bytes   int64
	hits    int64
	misses  int64
}

// Key names a value: a session's slot, an entry, the edit applied to it (or -1),
// and what kind of value it is.
type Key struct {
	Slot  uint32
	Kind  uint8
	Entry int32
	Edit  int32
}

// A Releaser is a value that is told when the cache no longer has it. Release is called
// with the cache's lock held.
type Releaser interface{ Release() }

type cached struct {
	key   Key
	value any
	bytes int64
}

// A flight is a computation under way. Its results are set before done is closed.
type flight struct {
	done      chan struct{}
	value     any
	err       error
	panicked  bool
	forgotten bool // guarded by Cache.mu: the session has gone meanwhile
}

// NewCache returns a cache of at most budgetBytes.
func NewCache(budgetBytes int64) *Cache {
	return &Cache{
		budget:  budgetBytes,
		entries: make(map[Key]*list.Element),
		flights: make(map[Key]*flight),
	}
}

// Get returns the value of key, computing it if it is not there. Of the values that
// are larger than half of the budget only the newest is kept, outside the budget and
// until Rest: a file that is read piece by piece must not be made anew for each piece,
// nor push everything else out. Errors are not kept. compute must not ask the cache
// for the same key. If it panics, so does its caller; who waited for it computes
// anew.
func (c *Cache) Get(key Key, compute func() (value any, sizeBytes int64, err error)) (any, error) {
	for {
		c.mu.Lock()
		if value, ok := c.find(key); ok {
			c.mu.Unlock()
			return value, nil
		}
		f, underWay := c.flights[key]
		if !underWay {
			f = &flight{done: make(chan struct{}), panicked: true}
			c.flights[key] = f
			c.misses++
			c.mu.Unlock()
			return c.fly(key, f, compute)
		}
		c.mu.Unlock()
		<-f.done
		if !f.panicked {
			return f.value, f.err
		}
	}
}

// Peek returns the value of key if it is there, computing nothing.
func (c *Cache) Peek(key Key) (value any, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(key)
}

// find is Peek with the lock held.
func (c *Cache) find(key Key) (value any, ok bool) {
	if c.large != nil && c.large.key == key {
		c.hits++
		return c.large.value, true
	}
	e, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	c.hits++
	return e.Value.(*cached).value, true
}

// fly computes the value of key for all who wait for it.
func (c *Cache) fly(key Key, f *flight, compute func() (any, int64, error)) (any, error) {
	var bytes int64
	defer func() {
		c.mu.Lock()
		delete(c.flights, key)
		if !f.panicked && f.err == nil && !f.forgotten {
			c.keep(&cached{key, f.value, charge(bytes)})
		}
		c.mu.Unlock()
		close(f.done)
	}()
	f.value, bytes, f.err = compute()
	f.panicked = false
	return f.value, f.err
}

func (c *Cache) keep(e *cached) {
	if e.bytes > charge(c.budget/2) {
		c.setLarge(e)
		return
	}
	c.entries[e.key] = c.order.PushFront(e)
	c.bytes += e.bytes
	for c.bytes > c.budget {
		c.remove(c.order.Back())
	}
}

// Rest gives up what is kept outside the budget, for who knows that nobody reads.
func (c *Cache) Rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLarge(nil)
}

// setLarge replaces the large value.
func (c *Cache) setLarge(e *cached) {
	if c.large != nil {
		c.large.release()
	}
	c.large = e
}

func (c *Cache) remove(e *list.Element) {
	old := c.order.Remove(e).(*cached)
	delete(c.entries, old.key)
	c.bytes -= old.bytes
	old.release()
}

func (e *cached) release() {
	if r, ok := e.value.(Releaser); ok {
		r.Release()
	}
}

// Forget drops all values of a session, and those that are being computed once they
// are. It goes over the whole cache: sessions are rarely forgotten.
func (c *Cache) Forget(slot uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large != nil && c.large.key.Slot == slot {
		c.setLarge(nil)
	}
	for key, e := range c.entries {
		if key.Slot == slot {
			c.remove(e)
		}
	}
	for key, f := range c.flights {
		if key.Slot == slot {
			f.forgotten = true
		}
	}
}

// Stats returns the bytes held, and the numbers of hits and computations.
func (c *Cache) Stats() (bytes, hits, misses int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.large != nil {
		bytes = c.large.bytes
	}
	return bytes + c.bytes, c.hits, c.misses
}
