package store

// A Cache keeps computed values within a budget of bytes; the least recently
// used go. One computation a key at a time: others wait for its result.
type Cache struct{}

// NewCache returns a cache of at most budgetBytes.
func NewCache(budgetBytes int64) *Cache { panic("todo") }

// Key names a value: a session's slot, an entry, the edit applied to it (or -1),
// and what kind of value it is.
type Key struct {
	Slot  uint32
	Kind  uint8
	Entry int32
	Edit  int32
}

// Get returns the value of key, computing it if it is not there. A value larger
// than an eighth of the budget is returned but not kept.
func (c *Cache) Get(key Key, compute func() (value any, sizeBytes int64, err error)) (any, error) {
	panic("todo")
}

// Forget drops all values of a session.
func (c *Cache) Forget(slot uint32) { panic("todo") }

// Stats returns the bytes held, and the numbers of hits and computations.
func (c *Cache) Stats() (bytes, hits, misses int64) { panic("todo") }
