package store

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func value(v any, sizeBytes int64) func() (any, int64, error) {
	return func() (any, int64, error) { return v, sizeBytes, nil }
}

func TestCacheKeepsToItsBudget(t *testing.T) {
	c := NewCache(100_000)
	for i := range int32(1000) {
		_, err := c.Get(Key{Entry: i}, value(i, 1000))
		require.NoError(t, err)
		_, err = c.Get(Key{Entry: 0}, value("computed again", 1000))
		require.NoError(t, err)
		bytes, _, _ := c.Stats()
		require.LessOrEqual(t, bytes, int64(100_000))
	}
	v, ok := c.Peek(Key{Entry: 0})
	assert.True(t, ok)
	assert.Equal(t, int32(0), v, "what is used stays")
	_, ok = c.Peek(Key{Entry: 500})
	assert.False(t, ok)
	_, ok = c.Peek(Key{Entry: 999})
	assert.True(t, ok)

	_, hits, misses := c.Stats()
	assert.EqualValues(t, 1000+2, hits)
	assert.EqualValues(t, 1000, misses)
}

// TestCacheKeepsOneLargeValue holds that large values neither push others out nor
// stay all.
func TestCacheKeepsOneLargeValue(t *testing.T) {
	c := NewCache(100_000)
	c.Get(Key{}, value("small", 100))
	for kind := range uint8(3) {
		_, err := c.Get(Key{Kind: 1 + kind}, value(kind, 1<<20))
		require.NoError(t, err)
	}
	_, ok := c.Peek(Key{})
	assert.True(t, ok)
	_, ok = c.Peek(Key{Kind: 2})
	assert.False(t, ok)
	v, ok := c.Peek(Key{Kind: 3})
	assert.True(t, ok)
	assert.Equal(t, uint8(2), v)
	bytes, _, _ := c.Stats()
	assert.LessOrEqual(t, bytes, charge(1<<20)+charge(100))
	c.Rest()
	_, ok = c.Peek(Key{Kind: 3})
	assert.False(t, ok)
	_, ok = c.Peek(Key{})
	assert.True(t, ok)
	c.Forget(0)
	bytes, _, _ = c.Stats()
	assert.Zero(t, bytes)
}

func TestCacheComputesOnce(t *testing.T) {
	c := NewCache(1 << 20)
	var computed atomic.Int32
	release := make(chan struct{})
	var tasks sync.WaitGroup
	for range 20 {
		tasks.Go(func() {
			v, err := c.Get(Key{Slot: 1}, func() (any, int64, error) {
				computed.Add(1)
				<-release
				return "v", 1, nil
			})
			assert.NoError(t, err)
			assert.Equal(t, "v", v)
		})
	}
	close(release)
	tasks.Wait()
	assert.EqualValues(t, 1, computed.Load())
}

func TestCacheKeepsNoErrors(t *testing.T) {
	c := NewCache(1 << 20)
	bad := errors.New("bad")
	_, err := c.Get(Key{}, func() (any, int64, error) { return nil, 0, bad })
	assert.ErrorIs(t, err, bad)
	v, err := c.Get(Key{}, value("good", 1))
	require.NoError(t, err)
	assert.Equal(t, "good", v)

	assert.Panics(t, func() { c.Get(Key{Kind: 1}, func() (any, int64, error) { panic("no") }) })
	v, err = c.Get(Key{Kind: 1}, value("after", 1))
	require.NoError(t, err)
	assert.Equal(t, "after", v)
}

func TestCacheForgets(t *testing.T) {
	c := NewCache(1 << 20)
	for slot := range uint32(3) {
		for i := range int32(10) {
			c.Get(Key{Slot: slot, Entry: i}, value(i, 10))
		}
	}
	c.Get(Key{Slot: 1, Kind: 1}, func() (any, int64, error) {
		c.Forget(1)
		return "late", 10, nil
	})
	for slot, want := range []bool{true, false, true} {
		_, ok := c.Peek(Key{Slot: uint32(slot), Entry: 3})
		assert.Equal(t, want, ok)
	}
	_, ok := c.Peek(Key{Slot: 1, Kind: 1})
	assert.False(t, ok, "late results are kept out")
	c.Forget(0)
	c.Forget(2)
	bytes, _, _ := c.Stats()
	assert.Zero(t, bytes)
}

func BenchmarkCacheHit(b *testing.B) {
	c := NewCache(64 << 20)
	for i := range int32(10_000) {
		c.Get(Key{Entry: i}, value(i, 100))
	}
	b.RunParallel(func(pb *testing.PB) {
		for i := int32(0); pb.Next(); i++ {
			c.Get(Key{Entry: i % 10_000}, nil)
		}
	})
}
