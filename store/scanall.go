package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// ScanAll has all sessions scanned by the given number of workers, the largest
// first, and calls each, if not nil, with every one as it is done, one at a time. A
// session that cannot be scanned has an error and no view. It returns early, with
// ctx's error, when ctx is done.
func (s *Store) ScanAll(ctx context.Context, workers int, each func(*Session, *View, error)) error {
	return forAll(ctx, s, workers, (*Session).View, each)
}

// forAll has workers do something with all sessions, the largest first, and calls
// each, if not nil, with what came of it.
func forAll[T any](ctx context.Context, s *Store, workers int, do func(*Session) (T, error), each func(*Session, T, error)) error {
	sessions := slices.Clone(s.Sessions())
	slices.SortStableFunc(sessions, func(a, b *Session) int {
		return cmp.Compare(b.facts.Load().size, a.facts.Load().size)
	})
	var (
		next  atomic.Int64
		mu    sync.Mutex
		tasks sync.WaitGroup
	)
	for range max(1, workers) {
		tasks.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(sessions) {
					return
				}
				got, err := do(sessions[i])
				if each != nil {
					mu.Lock()
					each(sessions[i], got, err)
					mu.Unlock()
				}
			}
		})
	}
	tasks.Wait()
	s.shelf.flush()
	return ctx.Err()
}

// SortAsPi sorts digests as pi's session picker does: those last used first, and
// among equals the file that was written last, then the later file name.
func SortAsPi(digests []Digest) {
	slices.SortFunc(digests, func(a, b Digest) int {
		return cmp.Or(
			cmp.Compare(b.Summary.Modified, a.Summary.Modified),
			cmp.Compare(b.Mtime, a.Mtime),
			cmp.Compare(b.Session.Name(), a.Session.Name()),
			cmp.Compare(b.Session.Path, a.Session.Path),
		)
	})
}
