package fs

import (
	"cmp"
	"context"
	"slices"

	"github.com/pifs/pifs/store"
)

// warmBytes is how much of a store is scanned before anybody asks for it.
const warmBytes = 1 << 30

// warm scans the sessions that were written last, one after the other, so that
// the first search finds them scanned. It takes one processor and stops when ctx
// ends.
func (t *Tree) warm(ctx context.Context) {
	sessions := slices.Clone(t.store.Sessions())
	slices.SortFunc(sessions, func(a, b *store.Session) int {
		return cmp.Compare(b.Stat().MtimeNS, a.Stat().MtimeNS)
	})
	left := int64(warmBytes)
	for _, s := range sessions {
		if left -= s.Stat().Size; left < 0 || ctx.Err() != nil {
			return
		}
		_, _ = s.View() // its error is told to who reads it
	}
}
