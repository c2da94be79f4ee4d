package fs

import "sync"

// An interner numbers values, from 0, so that an ID can stand for them. It only
// grows.
type interner[T comparable] struct {
	mu     sync.RWMutex
	number map[T]uint32
	value  []T
}

// of returns the number of v.
func (in *interner[T]) of(v T) uint32 {
	in.mu.RLock()
	n, ok := in.number[v]
	in.mu.RUnlock()
	if ok {
		return n
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if n, ok := in.number[v]; ok {
		return n
	}
	if in.number == nil {
		in.number = make(map[T]uint32)
	}
	n = uint32(len(in.value))
	in.number[v] = n
	in.value = append(in.value, v)
	return n
}

// at returns the value with number n.
func (in *interner[T]) at(n uint32) (v T, ok bool) {
	in.mu.RLock()
	defer in.mu.RUnlock()
	if int(n) >= len(in.value) {
		return v, false
	}
	return in.value[n], true
}
