package writeback_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/writeback"
)

// BenchmarkAppend takes turns with a plain loop of open, write, fsync and close on a
// file beside it, and reports how many times as long an append takes.
func BenchmarkAppend(b *testing.B) {
	for _, sync := range []bool{true, false} {
		for _, size := range []int{2, 100_000} {
			b.Run(fmt.Sprintf("sync=%t/entries=%d", sync, size), func(b *testing.B) { benchmarkAppend(b, sync, size) })
		}
	}
}

func benchmarkAppend(b *testing.B, sync bool, size int) {
	s := stored(b, small+strings.Repeat(`{"type":"custom","customType":"x","parentId":"bbbbbbbb"}`+"\n", size-2))
	view(b, s)
	plain := s.Path + ".plain"
	require.NoError(b, os.WriteFile(plain, []byte(small), 0o600))
	line := strings.Repeat("x", 149) + "\n"
	var ours, theirs time.Duration
	n := 0
	for b.Loop() {
		start := time.Now()
		n++
		err := writeback.Append(s, writeback.Options{NoSync: !sync}, writeback.SetName(fmt.Sprint("a name ", n)))
		between := time.Now()
		if err == nil {
			err = plainAppend(plain, line, sync)
		}
		theirs += time.Since(between)
		ours += between.Sub(start)
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/ours.Seconds(), "appends/s")
	b.ReportMetric(float64(n)/theirs.Seconds(), "plain/s")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

// plainAppend is what a program in C would do that loses nothing either.
func plainAppend(path, line string, sync bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return f.Close()
}

// BenchmarkSession appends messages as a running pi does.
func BenchmarkSession(b *testing.B) {
	s, err := writeback.Create("/home/dev/alpha", writeback.SessionOptions{Options: writeback.Options{NoSync: true}, Dir: b.TempDir()})
	require.NoError(b, err)
	message := model.Value(`{"role":"user","content":"` + strings.Repeat("x", 1000) + `","timestamp":1}`)
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		if _, err := s.AppendMessage(message); err != nil {
			b.Fatal(err)
		}
	}
}
