package store

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// bigStore returns the store to measure with: $PIFS_BIGSTORE (as bigstore of
// scripts/ writes it), else a small one.
func bigStore(tb testing.TB) string {
	if dir := os.Getenv("PIFS_BIGSTORE"); dir != "" {
		return dir
	}
	dir := tb.TempDir()
	writeSessions(tb, dir, 200, 200)
	return dir
}

func storeBytes(s *Store) (n int64) {
	for _, x := range s.Sessions() {
		n += x.Stat().Size
	}
	return n
}

func BenchmarkOpen10000(b *testing.B) {
	dir := b.TempDir()
	writeSessions(b, dir, 10_000, 1)
	for b.Loop() {
		s, err := Open(context.Background(), []string{dir}, Options{})
		require.NoError(b, err)
		require.Len(b, s.Sessions(), 10_000)
		s.Close()
	}
}

func BenchmarkScan1(b *testing.B) { benchmarkScan(b, 1) }
func BenchmarkScan2(b *testing.B) { benchmarkScan(b, 2) }

func benchmarkScan(b *testing.B, workers int) {
	dir := bigStore(b)
	for b.Loop() {
		b.StopTimer()
		s, err := Open(context.Background(), []string{dir}, Options{})
		require.NoError(b, err)
		b.SetBytes(storeBytes(s))
		b.StartTimer()
		require.NoError(b, s.ScanAll(context.Background(), workers, nil))
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}
