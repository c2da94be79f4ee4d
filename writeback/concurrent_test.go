package writeback_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// TestConcurrent has a real pi append messages while four processes write labels and
// names and another program appends lines of its own. Every line parses, all are
// there, the old bytes are unchanged, and pi's branch is what pi made it.
func TestConcurrent(t *testing.T) {
	needs.Pi(t)
	const writers = 4
	n := 100
	if long() {
		n = 1000
	}
	s := stored(t, small)
	pi := startPi(t, "append", s.Path)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() { startChild(t, "label", s.Path, fmt.Sprint("PIFS_WRITER=", w), fmt.Sprint("PIFS_CHANGES=", n)) })
	}
	all.Go(func() { appendForeign(t, s.Path, n) })
	leaf := ""
	for i := range n {
		var answer struct{ OK, Error string }
		require.NoError(t, json.Unmarshal(pi.call("appendMessage", object{"role": "user", "content": fmt.Sprint("pi ", i), "timestamp": i}), &answer))
		require.Empty(t, answer.Error)
		leaf = answer.OK
	}
	all.Wait()

	lines := strings.Split(strings.TrimSuffix(added(t, s, small), "\n"), "\n")
	counts, lastName, labels := make(map[string]int), "", make(map[string]string)
	entries := 0
	for _, line := range lines {
		if line == "" {
			continue // the seal of a line that another program was still writing
		}
		entries++
		require.True(t, model.Valid([]byte(line)), line)
		e := model.DecodeEntry(model.Value(line))
		counts[e.Type]++
		if e.Type == "session_info" {
			lastName = e.Name.Text()
		}
		if e.Type == "label" {
			labels[e.TargetID.Text()] = e.Label.Text()
		}
	}
	assert.Equal(t, map[string]int{"message": n, "custom": n, "label": writers * n, "session_info": writers * n}, counts)

	var is struct {
		Name    string
		Labels  map[string]string
		Entries int
	}
	require.NoError(t, json.Unmarshal(oracle.Ask(t, "session", s.Path), &is))
	assert.Equal(t, lastName, is.Name)
	assert.Equal(t, labels, is.Labels)
	assert.Equal(t, entries+2, is.Entries)
	var context struct{ Messages []struct{ Content any } }
	require.NoError(t, json.Unmarshal(oracle.Ask(t, "context", s.Path, leaf), &context))
	require.Len(t, context.Messages, n+2)
	for i, m := range context.Messages[2:] {
		require.Equal(t, fmt.Sprint("pi ", i), m.Content)
	}
}

// startChild runs this program again as a child and waits for it.
func startChild(t *testing.T, child, path string, env ...string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, childEnv+"="+child, "PIFS_FILE="+path)...)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, string(out))
}

// labelChild makes PIFS_CHANGES changes of the name and as many of a label.
func labelChild() error {
	s, err := childSession()
	if err != nil {
		return err
	}
	writer := envInt("PIFS_WRITER", 0)
	for i := range envInt("PIFS_CHANGES", 0) {
		text := fmt.Sprintf("writer %d, %d", writer, i)
		for _, plan := range []writeback.Plan{writeback.SetName(text), writeback.LabelEntry("aaaaaaaa", text)} {
			if err := writeback.Append(s, writeback.Options{}, plan); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendForeign appends whole lines as a program that knows nothing of pifs.
func appendForeign(t *testing.T, path string, n int) {
	for i := range n {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		assert.NoError(t, err)
		_, err = fmt.Fprintf(f, `{"type":"custom","customType":"x","id":"%08d","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:05.678Z"}`+"\n", i)
		assert.NoError(t, err)
		assert.NoError(t, f.Close())
	}
}

// TestConcurrentStores has goroutines with stores of their own, as two mounts are,
// and goroutines that share one, change one session, which has to be migrated first.
func TestConcurrentStores(t *testing.T) {
	s := stored(t, legacy)
	sessions := []*store.Session{s, s, open(t, s.Path), open(t, s.Path)}
	const n = 20
	var all sync.WaitGroup
	for w, s := range sessions {
		all.Go(func() {
			for i := range n {
				err := writeback.Append(s, writeback.Options{NoSync: true}, writeback.SetName(fmt.Sprint(w, " ", i)))
				if err != nil && !assert.ErrorIs(t, err, writeback.ErrStale) {
					return
				}
				if err != nil { // Another one has migrated the file: a mount shows a new session.
					s = open(t, s.Path)
					assert.NoError(t, writeback.Append(s, writeback.Options{NoSync: true}, writeback.SetName(fmt.Sprint(w, " ", i))))
				}
			}
		})
	}
	all.Wait()
	for w := range sessions {
		for i := range n {
			assert.Equal(t, 1, strings.Count(read(t, s.Path), fmt.Sprintf(`"name":"%d %d"`, w, i)))
		}
	}
	assert.Equal(t, 1, strings.Count(read(t, s.Path), `"version":3`))
	assertAlone(t, s.Path)
}
