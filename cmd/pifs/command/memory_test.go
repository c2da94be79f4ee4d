package command

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAfterCollections(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var calls atomic.Int64
	afterCollections(ctx, func() { calls.Add(1) })
	for n := range int64(3) {
		require.Eventually(t, func() bool {
			runtime.GC() // once more, if it was not awaited yet when the last one began
			return calls.Load() > n
		}, 10*time.Second, time.Millisecond)
	}
	cancel()
	runtime.GC() // what was on its way when ctx ended may still come
	time.Sleep(50 * time.Millisecond)
	last := calls.Load()
	for range 3 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	assert.Equal(t, last, calls.Load())
}
