package command

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/pifs/pifs/fs"
)

// heapRoom is what the daemon may have beside its caches, while it is busy, before
// the garbage collector works harder: the index of a store of half a gigabyte, and
// what is being read. quiet is after how long without a request it gives what is
// free back to the system.
const (
	heapRoom = 50 << 20
	quiet    = time.Second
)

// startPercent is how much the heap may grow between two runs of the collector, as
// GOGC has it, until the mount has been listed. What is made of a store is kept, all
// but little: to look through it again and again finds nothing.
const startPercent = 800

// hurry has the collector run less often until settle is called.
func hurry() (settle func()) {
	percent := debug.SetGCPercent(startPercent)
	if percent < 0 || percent > startPercent { // the user has set GOGC
		debug.SetGCPercent(percent)
	}
	return func() { debug.SetGCPercent(percent) }
}

// tameMemory keeps the process small until ctx ends: the collector would
// otherwise let the heap grow to twice what is in use, and a search of years of
// sessions leaves behind a heap that nobody needs afterwards.
func tameMemory(ctx context.Context, tree *fs.Tree, cacheBytes int64) {
	limitMemory(cacheBytes)
	afterCollections(ctx, func() { limitMemory(cacheBytes) })
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	var last, trimmed int64
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := tree.Requests()
		if now == last && now != trimmed {
			tree.Rest()
			debug.FreeOSMemory()
			trimmed = now
		}
		last = now
	}
}

// afterCollections calls f after each run of the collector until ctx ends: in a first
// search the index grows by its whole size between two ticks of a clock that is slow
// enough not to disturb a machine at rest.
func afterCollections(ctx context.Context, f func()) {
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		if ctx.Err() == nil {
			f()
			afterCollections(ctx, f)
		}
	}, struct{}{})
}

// usualLive is how much of heapRoom is in use with the index of half a gigabyte.
const usualLive = 40 << 20

// limitMemory sets the limit towards which the collector works. The index of a larger
// store is in use for good: a limit that leaves nothing beside it would have the
// collector run all the time.
func limitMemory(cacheBytes int64) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	more := max(0, int64(live[0].Value.Uint64())-cacheBytes-usualLive)
	debug.SetMemoryLimit(cacheBytes + heapRoom + 2*more)
}
