package store

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/tree"
)

// BenchmarkContexts finds the sessions of a store, scans them and makes the context
// at the current position of each: its messages as JSON, which is what pi's open
// and buildSessionContext give as objects, or Markdown. Sessions that were scanned by
// an earlier process are not scanned again. MB/s are of session files.
func BenchmarkContexts(b *testing.B) {
	dir := bigStore(b)
	for _, form := range []struct {
		name    string
		message appendMessage
	}{{"json", appendJSON}, {"markdown", appendMarkdown}} {
		for workers := 1; workers <= 2; workers++ {
			name := fmt.Sprintf("%s-%d-workers", form.name, workers)
			b.Run(name, func(b *testing.B) { benchmarkContexts(b, dir, "", workers, form.message) })
			b.Run(name+"-scanned-before", func(b *testing.B) {
				memory := filepath.Join(b.TempDir(), "sessions.json")
				s := remembering(b, dir, memory)
				require.NoError(b, s.ScanAll(context.Background(), 2, nil))
				require.NoError(b, s.Close())
				benchmarkContexts(b, dir, memory, workers, form.message)
			})
		}
	}
}

func benchmarkContexts(b *testing.B, dir, memory string, workers int, message appendMessage) {
	var made int64
	for b.Loop() {
		s := remembering(b, dir, memory)
		b.SetBytes(storeBytes(s))
		made = makeContexts(b, s, workers, message)
		require.NoError(b, s.Close())
	}
	b.ReportMetric(float64(made)/1e6, "MB-made")
}

// appendMessage appends what step n of a context adds to it.
type appendMessage func(dst []byte, n int, e model.Entry, edit *model.Entry) []byte

func appendJSON(dst []byte, n int, e model.Entry, edit *model.Entry) []byte {
	for _, m := range tree.Messages(e, n, edit) {
		dst = append(m.AppendCompact(dst), ',')
	}
	return dst
}

func appendMarkdown(dst []byte, n int, e model.Entry, edit *model.Entry) []byte {
	if !render.InContext(&e, n, edit) {
		return dst
	}
	return append(dst, render.Entry(e, render.Place{ID: e.ID.Text(), Edit: edit}).Text...)
}

// makeContexts makes the contexts of all sessions, the largest first, and returns
// how many bytes they are.
func makeContexts(b *testing.B, s *Store, workers int, message appendMessage) int64 {
	sessions := slices.Clone(s.Sessions())
	slices.SortFunc(sessions, func(a, b *Session) int { return cmp.Compare(b.Stat().Size, a.Stat().Size) })
	var next, made atomic.Int64
	var tasks sync.WaitGroup
	for range workers {
		tasks.Go(func() {
			var text []byte
			for i := next.Add(1); i <= int64(len(sessions)); i = next.Add(1) {
				var err error
				text, err = makeContext(text[:0], sessions[i-1], message)
				assert.NoError(b, err)
				made.Add(int64(len(text)))
			}
		})
	}
	tasks.Wait()
	return made.Load()
}

func makeContext(dst []byte, x *Session, message appendMessage) ([]byte, error) {
	v, err := x.View()
	if err != nil {
		return nil, err
	}
	steps := v.Tree.Context(v.Tree.Current()).Steps
	entries := make([]int32, len(steps))
	for n, step := range steps {
		entries[n] = step.Entry
	}
	n := 0
	err = v.Each(entries, func(_ int, e *model.Entry) error {
		var edit *model.Entry
		if by := steps[n].Edit; by != tree.None {
			body, err := v.Entry(int(by))
			if err != nil {
				return err
			}
			edit = &body
		}
		dst = message(dst, n, *e, edit)
		n++
		return nil
	})
	return dst, err
}
