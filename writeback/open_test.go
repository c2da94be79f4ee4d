package writeback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/writeback"
)

// TestOpenRefused opens files that are no sessions: they stay as they are, and so
// does a session that was to change to them.
func TestOpenRefused(t *testing.T) {
	for _, name := range []string{"corrupt-header.jsonl", "missing-header.jsonl", "harness-codec-lookalike.jsonl", "v1-no-id-no-cwd.jsonl", "header-on-line-2-title-slot.jsonl"} {
		path := edge(t, name)
		text := read(t, path)
		_, err := writeback.Open(path, writeback.SessionOptions{})
		require.ErrorIs(t, err, writeback.ErrNotSession, name)
		assert.Equal(t, text, read(t, path), name)

		s := create(t, writeback.Options{})
		id, err := s.AppendMessage(userMessage)
		require.NoError(t, err)
		file := s.File()
		require.ErrorIs(t, s.SetFile(path), writeback.ErrNotSession, name)
		assert.Equal(t, file, s.File())
		assert.Equal(t, id, s.LeafID())
	}
}

// TestOpenEdge opens all odd files that the real pi opens: it sees what pi sees.
func TestOpenEdge(t *testing.T) {
	needs.Pi(t)
	paths, err := filepath.Glob(filepath.Join(needs.Module(t), "testdata", "edge", "*.jsonl"))
	require.NoError(t, err)
	skip := map[string]string{
		"self-parent-and-cycle.jsonl":      "pi does not end",
		"bom.jsonl":                        "pi refuses it, as Open does",
		"leaf-entry-null-target.jsonl":     "pi knows no leaf entries",
		"leaf-entry-without-id.jsonl":      "pi knows no leaf entries",
		"undefined-line.jsonl":             "pi has no word for an entry without id",
		"v3-without-ids.jsonl":             "pi has no word for an entry without id",
		"missing-type.jsonl":               "pi has no word for an entry without id",
		"json-mode-stream-lookalike.jsonl": "pi has no word for an entry without id",
		"v4-lookalike-dsh.jsonl":           "pi has no word for an entry without id",
	}
	pi := startPi(t, "walk", t.TempDir())
	for _, original := range paths {
		name := filepath.Base(original)
		if skip[name] != "" {
			continue
		}
		path := copyOf(t, original)
		s, err := writeback.Open(path, writeback.SessionOptions{Dir: t.TempDir()})
		answer := pi.call("open", copyOf(t, original))
		if isError(answer) {
			assert.Error(t, err, "%s: pi says %s", name, answer)
			continue
		}
		require.NoError(t, err, name)
		if strings.HasPrefix(name, "v1") {
			continue // pi's ids are random.
		}
		his := model.Value(pi.call("getEntries")).Get("ok")
		ours := encode(ids(s.Entries()))
		assert.JSONEq(t, string(idsOf(his)), string(ours), name)
		leaf := model.Value(pi.call("getLeafId")).Get("ok")
		switch leaf.Kind() {
		case model.String:
			leaf = model.Value(leaf.Text())
		case model.Null:
			leaf = nil
		}
		assert.Equal(t, string(leaf), s.LeafID(), name)
		context := pi.call("buildSessionContext")
		if !isError(context) && name != "compaction-retainedTail.jsonl" {
			assert.JSONEq(t, string(model.Value(context).Get("ok")), string(s.Context()), name)
		}
	}
}

// idsOf returns the ids of an array of entries.
func idsOf(entries model.Value) []byte {
	var all []model.Entry
	for v := range entries.Elements() {
		all = append(all, model.DecodeEntry(v))
	}
	return encode(ids(all))
}

// TestOpenReadOnly opens what may only be read: it can be looked at and forked.
func TestOpenReadOnly(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	for name, text := range map[string]string{"torn": small + `{"torn`, "legacy": legacy} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o400))
		s, err := writeback.Open(path, writeback.SessionOptions{})
		require.NoError(t, err, name)
		assert.NotZero(t, s.EntryCount(), name)
		assert.Equal(t, text, read(t, path), name)
		_, err = s.AppendMessage(userMessage)
		assert.Error(t, err, name)
		assert.Equal(t, text, read(t, path), name)
		fork, err := writeback.ForkFrom(path, "/home/dev/beta", writeback.SessionOptions{Dir: t.TempDir()})
		require.NoError(t, err, name)
		assert.Equal(t, s.EntryCount(), fork.EntryCount(), name)
	}
}

// TestOpenLegacy migrates on opening, with the ids that a mount shows, and keeps the
// lines that pi would drop.
func TestOpenLegacy(t *testing.T) {
	s := stored(t, legacy)
	shown := view(t, s)
	opened, err := writeback.Open(s.Path, writeback.SessionOptions{})
	require.NoError(t, err)
	for i, e := range opened.Entries() {
		assert.Equal(t, shown.Tree.ID(i), e.ID.Text())
	}
	assert.Contains(t, read(t, s.Path), "\nno json at all\n")
	assert.Contains(t, read(t, s.Path), `"version":3`)
	assertAlone(t, s.Path)
	id, err := opened.AppendMessage(userMessage)
	require.NoError(t, err)
	_, ok := view(t, open(t, s.Path)).Tree.Lookup(id)
	assert.True(t, ok)
}

// TestOpenLater opens a later version to look at.
func TestOpenLater(t *testing.T) {
	path := edge(t, "version-4.jsonl")
	text := read(t, path)
	s, err := writeback.Open(path, writeback.SessionOptions{})
	require.NoError(t, err)
	_, err = s.AppendMessage(userMessage)
	require.ErrorIs(t, err, writeback.ErrReadOnly)
	assert.Equal(t, text, read(t, path))
}
