package command

import (
	"runtime"
	"sync"

	"github.com/pifs/pifs/store"
)

// eachSession calls read for every session, several at a time, and done after
// each, one at a time, in no order.
func eachSession[T any](sessions []*store.Session, read func(*store.Session) T, done func(int, T)) {
	type result struct {
		index int
		value T
	}
	next := make(chan int)
	results := make(chan result)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sessions)) {
		workers.Go(func() {
			for i := range next {
				results <- result{i, read(sessions[i])}
			}
		})
	}
	go func() {
		for i := range sessions {
			next <- i
		}
		close(next)
		workers.Wait()
		close(results)
	}()
	for r := range results {
		done(r.index, r.value)
	}
}
