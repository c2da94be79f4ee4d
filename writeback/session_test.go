package writeback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/writeback"
)

var (
	userMessage  = model.Value(`{"role":"user","content":"hi","timestamp":1}`)
	shellMessage = model.Value(`{"role":"bashExecution","command":"ls","output":"","cancelled":false,"truncated":false,"timestamp":1}`)
)

// create begins a session in a directory of its own.
func create(t *testing.T, o writeback.Options) *writeback.Session {
	t.Helper()
	s, err := writeback.Create("/home/dev/alpha", writeback.SessionOptions{Options: o, Dir: filepath.Join(t.TempDir(), "sessions")})
	require.NoError(t, err)
	return s
}

// TestSessionFileGone does not make a file anew that was deleted, as pi would,
// without a header.
func TestSessionFileGone(t *testing.T) {
	s := create(t, writeback.Options{})
	_, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	require.NoError(t, os.Remove(s.File()))
	_, err = s.AppendMessage(userMessage)
	require.ErrorIs(t, err, writeback.ErrStale)
	assert.NoFileExists(t, s.File())
}

// TestJSON refuses what is no JSON and stores the rest on one line.
func TestJSON(t *testing.T) {
	s := create(t, writeback.Options{})
	for _, bad := range []string{"", "{", `{"a":1}{"b":2}`, "nope", `"text"`, "[1]", "5"} {
		_, err := s.AppendMessage(model.Value(bad))
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
	}
	_, err := s.AppendMessage(nil)
	assert.ErrorIs(t, err, writeback.ErrNotJSON)
	for _, bad := range []string{"", "}", "\x00"} {
		_, err := s.AppendCustomEntry("x", model.Value(bad))
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
		_, err = s.AppendCustomMessage("x", model.Value(`""`), true, model.Value(bad))
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
		_, err = s.AppendUsage("k", "p", "m", model.Value(bad), "")
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
		_, err = s.AppendCompaction(writeback.Compaction{Details: model.Value(bad)})
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
		_, err = s.BranchWithSummary("", writeback.BranchSummary{Usage: model.Value(bad)})
		assert.ErrorIs(t, err, writeback.ErrNotJSON, bad)
	}
	assert.Zero(t, s.EntryCount())
	_, err = s.AppendMessage(model.Value("{\n \"role\": \"user\",\r\n \"content\": \"a  b\xff\" }\n"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(read(t, s.File()), "\n"))
	assert.Contains(t, read(t, s.File()), `"message":{"role":"user","content":"a  b`+"\ufffd"+`"}`)
}

// TestInMemoryEntries takes entries from elsewhere, with and without a header, and
// migrates old ones.
func TestInMemoryEntries(t *testing.T) {
	v := func(text string) model.Value { return model.Value(strings.TrimSuffix(text, "\n")) }
	s, err := writeback.InMemory("/x", writeback.SessionOptions{}, v(header), v(user), v(assistant))
	require.NoError(t, err)
	assert.Equal(t, "s1", s.ID())
	assert.Equal(t, "bbbbbbbb", s.LeafID())

	s, err = writeback.InMemory("/x", writeback.SessionOptions{ID: "mine"}, v(user), v(assistant))
	require.NoError(t, err)
	assert.Equal(t, "mine", s.ID())
	assert.Equal(t, 2, s.EntryCount())

	var old []model.Value
	for line := range strings.SplitSeq(legacy, "\n") {
		if model.Valid([]byte(line)) && line != "" {
			old = append(old, model.Value(line))
		}
	}
	s, err = writeback.InMemory("/x", writeback.SessionOptions{}, old...)
	require.NoError(t, err)
	assert.Equal(t, 5, s.EntryCount())
	assert.Len(t, s.Path(""), 5)

	_, err = writeback.InMemory("/x", writeback.SessionOptions{}, model.Value("{"))
	assert.ErrorIs(t, err, writeback.ErrNotJSON)
}

// TestSharedFile has a session and a mount write to one file: both are heard, and
// the session goes on from its own leaf.
func TestSharedFile(t *testing.T) {
	s := create(t, writeback.Options{})
	first, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	require.NoError(t, writeback.Append(open(t, s.File()), writeback.Options{}, writeback.SetName("n")))
	second, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	v := view(t, open(t, s.File()))
	name, _ := v.Tree.Name()
	assert.Equal(t, "n", name)
	i, _ := v.Tree.Lookup(second)
	assert.Equal(t, first, v.Tree.ID(v.Tree.Parent(i)))
}

// TestLongChain appends to and walks a chain of 100,000 entries: no step costs the
// whole session, and nothing recurses.
func TestLongChain(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	s, err := writeback.InMemory("/x", writeback.SessionOptions{})
	require.NoError(t, err)
	start := time.Now()
	for range n {
		_, err := s.AppendMessage(userMessage)
		require.NoError(t, err)
	}
	t.Logf("%d appends in %s", n, time.Since(start))
	assert.Len(t, s.Path(""), n)
	roots := s.Tree()
	require.Len(t, roots, 1)
	depth := 0
	for node := roots[0]; node != nil; depth++ {
		if len(node.Children) == 0 {
			break
		}
		node = node.Children[0]
	}
	assert.Equal(t, n-1, depth)
	_, err = s.CreateBranchedSession(s.LeafID())
	require.NoError(t, err)
	assert.Equal(t, n, s.EntryCount())
}
