package tree_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// The tests in this file ask the real pi what it makes of session files, and take
// no difference. scripts/pi-compat.sh runs them with new seeds and larger stores:
// PIFS_SEEDS (numbers divided by commas), PIFS_SESSIONS and PIFS_ENTRIES say which.

func setting(name, standard string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return standard
}

// piViews asks pi for its views of the files, in one process.
func piViews(t *testing.T, files []string) []piView {
	var views []piView
	for line := range bytes.Lines(oracle.Tell(t, strings.Join(files, "\n")+"\n", "views")) {
		var view piView
		require.NoError(t, json.Unmarshal(line, &view))
		views = append(views, view)
	}
	require.Len(t, views, len(files))
	return views
}

func TestPiCompat(t *testing.T) {
	needs.Pi(t)
	for _, seed := range strings.Split(setting("PIFS_SEEDS", "1"), ",") {
		t.Run("seed "+seed, func(t *testing.T) {
			out := t.TempDir()
			oracle.Ask(t, "generate", out, seed, setting("PIFS_SESSIONS", "6"), setting("PIFS_ENTRIES", "60"))
			compareAll(t, out, nil)
			compareExpected(t, out)
			number, err := strconv.ParseUint(seed, 10, 64)
			require.NoError(t, err)
			retained := t.TempDir()
			insertRetained(t, out, retained, rand.New(rand.NewPCG(number, 0)))
			compareAll(t, retained, nil)
		})
	}
}

func TestPiCompatReal(t *testing.T) {
	needs.Pi(t)
	compareAll(t, needs.RealSessions(t), nil)
}

// TestPiCompatEdge compares what pi opens of testdata/edge.
func TestPiCompatEdge(t *testing.T) {
	needs.Pi(t)
	compareAll(t, filepath.Join(needs.Module(t), "testdata", "edge"), map[string]string{
		"self-parent-and-cycle":       "pi hangs",
		"images-and-bash":             "pi throws",
		"bom":                         "pi refuses it",
		"header-on-line-2-title-slot": "pi refuses it",
		"deep-nesting":                "too deep for the oracle's own code",
	})
}

// compareAll compares the sessions below a directory, but for those named.
func compareAll(t *testing.T, dir string, but map[string]string) {
	sessions := openSessions(t, dir)
	var files []string
	for file := range sessions {
		if why := but[strings.TrimSuffix(filepath.Base(file), ".jsonl")]; why == "" {
			files = append(files, file)
		}
	}
	require.Len(t, files, len(sessions)-len(but))
	var count counts
	for _, view := range piViews(t, files) {
		count.add(compare(t, view, readSession(t, sessions[view.File])))
	}
	t.Log(count)
}

// counts are what was compared.
type counts struct{ sessions, entries, retained int }

func (c *counts) add(d counts) {
	c.sessions += d.sessions
	c.entries += d.entries
	c.retained += d.retained
}

func (c counts) String() string {
	return fmt.Sprintf("%d sessions, %d entries, %d contexts after a retained tail", c.sessions, c.entries, c.retained)
}

// compare holds everything that pi tells of a session against pifs. Contexts with
// a retained tail are the agent core's, which knows no edits.
func compare(t *testing.T, pi piView, s *session) (count counts) {
	where := filepath.Base(pi.File)
	require.Empty(t, pi.Error, where)
	require.Len(t, pi.Contexts, s.tree.Len(), where)
	count.sessions, count.entries = 1, s.tree.Len()

	if s.version != 0 {
		assert.Equal(t, pi.Header, hashOf(canonical(migrate.Header(s.header.Raw))), where)
	}
	name, _ := s.tree.Name()
	assert.Equal(t, orEmpty(pi.Name), name, where)
	if pi.Totals.Throws == "" {
		u := s.totals()
		assert.Equal(t, []float64{pi.Totals.Input, pi.Totals.Output, pi.Totals.CacheRead, pi.Totals.CacheWrite, pi.Totals.Cost},
			[]float64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Cost}, where)
	}
	if s.isPlain(pi) {
		compareStructure(t, pi, s, where)
	}
	for i := range s.tree.Len() {
		at := fmt.Sprintf("%s, entry %d (%s)", where, i, s.tree.ID(i))
		assert.Equal(t, *pi.Bodies[i], s.body(i), at)
		switch {
		case pi.Contexts[i] == nil: // no id leads to it
		case s.hasRetainedTail(i):
			context, _ := s.contextHashes(i, false)
			require.Equal(t, *pi.Retained[i], context, at)
			count.retained++
		default:
			compareContext(t, pi, s, i, at)
		}
	}
	return count
}

func compareStructure(t *testing.T, pi piView, s *session, where string) {
	assert.Equal(t, indexOrNone(pi.Leaf), s.tree.Leaf(), where)
	assert.Equal(t, pi.Roots, indexes(s.tree.Children(tree.None)), where)
	assert.Equal(t, pi.Leaves, indexes(s.tree.Leaves()), where)
	for i := range s.tree.Len() {
		assert.Equal(t, orEmpty(pi.Labels[i]), s.tree.Label(i), "%s, entry %d", where, i)
		assert.Equal(t, pi.Children[i], indexes(s.tree.Children(i)), "%s, entry %d", where, i)
	}
}

func compareContext(t *testing.T, pi piView, s *session, i int, at string) {
	context, llm := s.contextHashes(i, true)
	if context != *pi.Contexts[i] && s.version != 1 {
		require.JSONEq(t, string(oracle.Ask(t, "context", pi.File, s.tree.ID(i))), s.context(i), at)
	}
	require.Equal(t, *pi.Contexts[i], context, at)
	require.Equal(t, *pi.LLM[i], llm, at)
}

// compareExpected holds the contexts that pi had when it wrote the files, before
// any was read again, against pifs.
func compareExpected(t *testing.T, out string) {
	text, err := os.ReadFile(filepath.Join(out, "expected.json"))
	require.NoError(t, err)
	sessions := openSessions(t, out)
	for file, view := range decode(text).(map[string]any) {
		s := readSession(t, sessions[filepath.Join(out, "sessions", file)])
		for id, context := range view.(map[string]any)["contexts"].(map[string]any) {
			i, found := s.tree.Lookup(id)
			if id == "leaf" {
				i, found = s.tree.Leaf(), true
			}
			require.True(t, found, "%s %s", file, id)
			require.Equal(t, string(appendCanonical(nil, context)), canonical(model.Value(s.context(i))), "%s %s", file, id)
		}
	}
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func indexOrNone(i *int) int {
	if i == nil {
		return tree.None
	}
	return *i
}

func indexes(list []int32) []int {
	ints := make([]int, len(list))
	for n, i := range list {
		ints[n] = int(i)
	}
	return ints
}
