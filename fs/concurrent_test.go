package fs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/oracle"
)

// long tells whether tests that can take long should: PIFS_LONG=1.
func long() bool { return os.Getenv("PIFS_LONG") != "" }

// writersAtOnce is how many writers go through mounts in TestWritersAtOnce, beside
// pi and a program that appends lines of its own.
const writersAtOnce = 4

// TestWritersAtOnce has a real pi append messages while four writers in two mounts of
// its store, and a program that knows nothing of pifs, write names and labels. Every
// line is whole, all are there, bytes that were there stay, and pi reads what it
// wrote and what the others did.
func TestWritersAtOnce(t *testing.T) {
	n := 60
	if long() {
		n = 1000
	}
	r := newRace(t, n)
	leaf := r.run()
	r.checkLines()
	r.checkPi(leaf)
	r.checkMounts(leaf)
}

// A race is a session that several programs write to at once.
type race struct {
	t      *testing.T
	n      int // messages of pi; names, and labels, of each other writer
	file   string
	before []byte
	dirs   []string          // the session in each mount
	done   atomic.Int64      // what the others have written
	name   string            // the last name in the file
	labels map[string]string // by entry, as the file's order has them
}

func newRace(t *testing.T, n int) *race {
	st := copySession(t, branchy)
	r := &race{t: t, n: n, file: filepath.Join(st, branchy+".jsonl"), labels: make(map[string]string)}
	var err error
	r.before, err = os.ReadFile(r.file)
	require.NoError(t, err)
	for range 2 {
		r.dirs = append(r.dirs, filepath.Join(mount(t, Options{}, st), "edge-demo", branchy))
	}
	return r
}

// run has all write, and returns pi's leaf. Each time that pi has written, what was
// in the file before must be in it still.
func (r *race) run() (leaf string) {
	pi := oracle.Start(r.t, "append", r.file)
	var all sync.WaitGroup
	begin := time.Now()
	for w := range writersAtOnce {
		all.Go(func() { r.writeInMount(w, r.dirs[w%len(r.dirs)]) })
	}
	all.Go(r.appendRaw)
	seen := r.before
	for i := range r.n {
		r.keepPace(i)
		answer, err := pi.Call("appendMessage", map[string]any{"role": "user", "content": fmt.Sprint("pi.", i), "timestamp": i})
		require.NoError(r.t, err)
		var is struct{ OK, Error string }
		require.NoError(r.t, json.Unmarshal(answer, &is))
		require.Empty(r.t, is.Error)
		leaf = is.OK

		now, err := os.ReadFile(r.file)
		require.NoError(r.t, err)
		require.True(r.t, bytes.HasPrefix(now, seen), "bytes that were there have changed")
		seen = now
	}
	all.Wait()
	r.t.Logf("%d messages of pi, %d names and labels of others in %v", r.n, r.done.Load(), time.Since(begin).Round(time.Millisecond))
	return leaf
}

// keepPace waits until the writers in the mounts, who wait for the disk, have come as
// far as the others who write their i-th: all are to be at it all the time.
func (r *race) keepPace(i int) {
	for r.done.Load() < int64(i*writersAtOnce*2*9/10) && !r.t.Failed() {
		time.Sleep(time.Millisecond)
	}
}

// writeInMount writes names and labels into a mount.
func (r *race) writeInMount(w int, dir string) {
	for i := range r.n {
		text := fmt.Sprintf("w%d.%d", w, i)
		if !assert.NoError(r.t, os.WriteFile(filepath.Join(dir, nameName), []byte(text+"\n"), 0o644)) ||
			!assert.NoError(r.t, os.WriteFile(filepath.Join(dir, nameLabels, text), []byte(target(i)+"\n"), 0o644)) {
			return
		}
		r.done.Add(2)
	}
}

// appendRaw appends lines as a program that knows nothing of pifs, nor of a lock.
func (r *race) appendRaw() {
	const w = writersAtOnce
	for i := range r.n {
		r.keepPace(i)
		text := fmt.Sprintf("w%d.%d", w, i)
		head := `"id":"%s%d","parentId":"a","timestamp":"2026-01-01T00:00:00.000Z",`
		appendTo(r.t, r.file,
			fmt.Sprintf(`{"type":"session_info",`+head+`"name":"%s"}`, "raw-name-", i, text),
			fmt.Sprintf(`{"type":"label",`+head+`"targetId":"%s","label":"%s"}`, "raw-label-", i, target(i), text))
	}
}

// target is the entry on which a writer puts its i-th label.
func target(i int) string { return []string{"a", "b", "c1", "d1", "c2", "d2"}[i%6] }

// checkLines looks at each line that was added: those of each writer are there once,
// in the order in which it wrote.
func (r *race) checkLines() {
	text, err := os.ReadFile(r.file)
	require.NoError(r.t, err)
	added, ok := bytes.CutPrefix(text, r.before)
	require.True(r.t, ok)
	ids, next := make(map[string]bool), make(map[string]int)
	for line := range strings.Lines(string(added)) {
		if line == "\n" {
			continue // the seal of a line that another program was still writing
		}
		var e struct {
			Type, ID, Name, Label, TargetID string
			Message                         struct{ Content string }
		}
		require.NoError(r.t, json.Unmarshal([]byte(line), &e), line)
		require.False(r.t, ids[e.ID], "two entries are called %s", e.ID)
		ids[e.ID] = true
		who, number, _ := strings.Cut(e.Name+e.Label+e.Message.Content, ".")
		who += " " + e.Type
		require.Equal(r.t, fmt.Sprint(next[who]), number, who)
		next[who]++
		switch e.Type {
		case "session_info":
			r.name = e.Name
		case "label":
			require.Equal(r.t, target(next[who]-1), e.TargetID)
			r.labels[e.TargetID] = e.Label
		}
	}
	assert.Len(r.t, next, 1+2*(writersAtOnce+1))
	for who, n := range next {
		assert.Equal(r.t, r.n, n, who)
	}
}

// checkPi has the real pi open the file.
func (r *race) checkPi(leaf string) {
	var is struct {
		Name    string
		Labels  map[string]string
		Entries int
	}
	require.NoError(r.t, json.Unmarshal(oracle.Ask(r.t, "session", r.file), &is))
	assert.Equal(r.t, r.name, is.Name)
	for id, label := range r.labels {
		assert.Equal(r.t, label, is.Labels[id])
	}
	assert.Equal(r.t, bytes.Count(r.before, []byte("\n"))-1+r.n+2*r.n*(writersAtOnce+1), is.Entries)

	var context struct{ Messages []struct{ Content any } }
	require.NoError(r.t, json.Unmarshal(oracle.Ask(r.t, "context", r.file, leaf), &context))
	require.Greater(r.t, len(context.Messages), r.n)
	for i, m := range context.Messages[len(context.Messages)-r.n:] {
		require.Equal(r.t, fmt.Sprint("pi.", i), m.Content, "pi's branch is as pi made it")
	}
}

// checkMounts sees that both mounts show what pi sees.
func (r *race) checkMounts(leaf string) {
	want := oracle.Ask(r.t, "context", r.file, leaf)
	for _, dir := range r.dirs {
		eventually(r.t, "the last name", func() bool {
			name, err := os.ReadFile(filepath.Join(dir, nameName))
			return err == nil && string(name) == r.name+"\n"
		})
		got, err := os.ReadFile(filepath.Join(dir, nameBranches, leaf, nameContextJSON))
		require.NoError(r.t, err)
		assert.JSONEq(r.t, string(want), string(got))
		for id, label := range r.labels {
			got, err := os.ReadFile(filepath.Join(dir, nameLabels, id))
			require.NoError(r.t, err)
			assert.Equal(r.t, label+"\n", string(got))
		}
	}
}
