package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// bigStore returns the store to measure with: $PIFS_BIGSTORE (as bigstore of
// scripts/ writes it), else a small one.
func bigStore(tb testing.TB) string {
	if dir := os.Getenv("PIFS_BIGSTORE"); dir != "" {
		return dir
	}
	dir := tb.TempDir()
	writeSessions(tb, dir, 100, 400)
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
	benchmarkViews(b, workers, func() *Store { return remembering(b, dir, "") })
}

// benchmarkViews scans the stores that are opened. ms-of-cpu is the processor time for
// one, the kernel's included, which other work on the machine changes less.
func benchmarkViews(b *testing.B, workers int, open func() *Store) {
	var cpu time.Duration
	entries := 0
	for b.Loop() {
		b.StopTimer()
		s := open()
		b.SetBytes(storeBytes(s))
		runtime.GC()
		before := processorTime(b)
		b.StartTimer()
		require.NoError(b, s.ScanAll(context.Background(), workers, nil))
		b.StopTimer()
		cpu += processorTime(b) - before
		entries = entriesOf(b, s)
		require.NoError(b, s.Close())
		b.StartTimer()
	}
	b.ReportMetric(float64(cpu.Microseconds())/1000/float64(b.N), "ms-of-cpu")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N*entries), "cpu-ns/entry")
}

func entriesOf(tb testing.TB, s *Store) (n int) {
	for _, x := range s.Sessions() {
		n += view(tb, x).Tree.Len()
	}
	return n
}

// BenchmarkScanKept is a scan whose indexes are kept on disk: less that of
// BenchmarkScan1 it is what keeping them costs.
func BenchmarkScanKept(b *testing.B) {
	dir := bigStore(b)
	benchmarkViews(b, 1, func() *Store { return remembering(b, dir, filepath.Join(b.TempDir(), "sessions.json")) })
}

// BenchmarkRestore makes the views of all sessions of the indexes that are kept on disk,
// by one thread.
func BenchmarkRestore(b *testing.B) {
	dir, memory := bigStore(b), filepath.Join(b.TempDir(), "sessions.json")
	time.Sleep(tooFresh)
	s := remembering(b, dir, memory)
	require.NoError(b, s.ScanAll(context.Background(), 1, nil))
	require.NoError(b, s.Close())
	var last *Store
	benchmarkViews(b, 1, func() *Store {
		last = remembering(b, dir, memory)
		return last
	})
	assert.Zero(b, last.Stats().ScanBytes)
	b.ReportMetric(float64(keptOnDisk(b, memory))/float64(entriesOf(b, last)), "B/entry")
}

// processorTime is what this process has used so far.
func processorTime(tb testing.TB) time.Duration {
	var used syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// keptOnDisk is how many bytes all kept indexes have.
func keptOnDisk(tb testing.TB, memory string) (n int64) {
	files, err := os.ReadDir(filepath.Join(filepath.Dir(memory), "index"))
	require.NoError(tb, err)
	for _, file := range files {
		info, err := file.Info()
		require.NoError(tb, err)
		n += info.Size()
	}
	return n
}

// BenchmarkRescan10000 is what a look at everything costs, and polling.
func BenchmarkRescan10000(b *testing.B) {
	dir := b.TempDir()
	writeSessions(b, dir, 10_000, 1)
	s := open(b, dir)
	for b.Loop() {
		s.Rescan()
	}
}

// BenchmarkSurvey10000 is what it costs that one session comes.
func BenchmarkSurvey10000(b *testing.B) {
	dir := b.TempDir()
	writeSessions(b, dir, 10_000, 1)
	s := open(b, dir)
	for b.Loop() {
		s.update(noFile)
	}
}

// BenchmarkAppend is what it costs to see an entry appended to a session of 100,000.
func BenchmarkAppend(b *testing.B) {
	_, x := one(b, headerLine+chain(100_000))
	view(b, x)
	for i := 0; b.Loop(); i++ {
		add(b, x.Path, message(100_000+i, "more"))
		refresh(b, x)
	}
}

func BenchmarkEach(b *testing.B) {
	_, x := one(b, headerLine+chain(10_000))
	v := view(b, x)
	all := make([]int32, v.Tree.Len())
	for i := range all {
		all[i] = int32(i)
	}
	b.SetBytes(v.Size)
	for b.Loop() {
		require.NoError(b, v.Each(all, func(int, *model.Entry) error { return nil }))
	}
}

func BenchmarkRaw(b *testing.B) {
	_, x := one(b, headerLine+chain(10_000))
	v := view(b, x)
	for i := 0; b.Loop(); i++ {
		_, err := v.Raw(i % v.Tree.Len())
		require.NoError(b, err)
	}
}
