package writeback_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
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

// TestBirth makes the file with the first user or assistant message, with all that
// came before it.
func TestBirth(t *testing.T) {
	s := create(t, writeback.Options{})
	_, err := s.AppendModelChange("anthropic", "m")
	require.NoError(t, err)
	_, err = s.AppendMessage(shellMessage)
	require.NoError(t, err)
	assert.NoFileExists(t, s.File())
	_, err = s.AppendMessage(userMessage)
	require.NoError(t, err)
	assert.Equal(t, 4, strings.Count(read(t, s.File()), "\n"))

	v := view(t, open(t, s.File()))
	assert.Equal(t, 3, v.Tree.Len())
	assert.Equal(t, s.LeafID(), v.Tree.ID(v.Tree.Leaf()))
	assert.Equal(t, s.ID(), v.Header.ID.Text())
	assert.Equal(t, byte('7'), s.ID()[14], "a UUID of version 7")
}

// TestBirthSteps makes each step of a birth fail: there is no file, the entry is not
// in memory, and the next try succeeds.
func TestBirthSteps(t *testing.T) {
	recorder := &faults{}
	_, err := create(t, writeback.Options{FS: recorder}).AppendMessage(userMessage)
	require.NoError(t, err)
	steps := slices.Compact(slices.Sorted(slices.Values(recorder.seen)))
	require.Contains(t, steps, writeback.OpCreate)
	for _, step := range steps {
		fs := &faults{at: step, err: syscall.ENOSPC, short: 7}
		s := create(t, writeback.Options{FS: fs})
		_, err := s.AppendMessage(userMessage)
		require.ErrorIs(t, err, syscall.ENOSPC, step)
		assert.NoFileExists(t, s.File(), step)
		assert.Empty(t, s.LeafID(), step)
		assert.Zero(t, s.EntryCount(), step)

		fs.at = ""
		_, err = s.AppendMessage(userMessage)
		require.NoError(t, err, step)
		assert.Equal(t, 1, view(t, open(t, s.File())).Tree.Len(), step)
	}
}

// TestBirthTaken leaves another session's file alone.
func TestBirthTaken(t *testing.T) {
	s := create(t, writeback.Options{})
	require.NoError(t, os.WriteFile(s.File(), []byte("another's"), 0o600))
	_, err := s.AppendMessage(userMessage)
	require.ErrorIs(t, err, os.ErrExist)
	assert.Equal(t, "another's", read(t, s.File()))
}

// TestRollback makes each step of an append fail: memory is as it was, and the next
// try succeeds.
func TestRollback(t *testing.T) {
	recorder := &faults{}
	s := create(t, writeback.Options{FS: recorder})
	_, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	recorder.seen = nil
	_, err = s.AppendSessionInfo("n")
	require.NoError(t, err)
	for _, step := range slices.Compact(slices.Sorted(slices.Values(recorder.seen))) {
		fs := &faults{}
		s := create(t, writeback.Options{FS: fs})
		first, err := s.AppendMessage(userMessage)
		require.NoError(t, err)
		fs.at, fs.err, fs.short = step, syscall.EIO, 9
		_, err = s.AppendSessionInfo("lost")
		require.ErrorIs(t, err, syscall.EIO, step)
		assert.Equal(t, first, s.LeafID(), step)
		assert.Equal(t, 1, s.EntryCount(), step)
		assert.Empty(t, s.Name(), step)
		fs.at = ""
		id, err := s.AppendSessionInfo("kept")
		require.NoError(t, err, step)
		v := view(t, open(t, s.File()))
		i, ok := v.Tree.Lookup(id)
		require.True(t, ok, step)
		assert.Equal(t, 0, v.Tree.Parent(i), step)
	}
}

// TestBranchedRollback keeps the session as it was if its branch cannot be written.
func TestBranchedRollback(t *testing.T) {
	fs := &faults{}
	s := create(t, writeback.Options{FS: fs})
	id, err := s.AppendMessage(userMessage)
	require.NoError(t, err)
	path := s.File()
	fs.at, fs.err = writeback.OpCreate, syscall.ENOSPC
	_, err = s.CreateBranchedSession(id)
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.Equal(t, path, s.File())
	assert.Equal(t, id, s.LeafID())
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

// TestFork makes files of stored sessions without touching them.
func TestFork(t *testing.T) {
	label := `{"type":"label","id":"cccccccc","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:08.000Z","targetId":"aaaaaaaa","label":"L"}` + "\n"
	s := stored(t, small+label)
	text := read(t, s.Path)

	whole, err := writeback.Fork(s, writeback.ForkOptions{})
	require.NoError(t, err)
	assert.Equal(t, filepath.Dir(s.Path), filepath.Dir(whole))
	v := view(t, open(t, whole))
	assert.Equal(t, 3, v.Tree.Len())
	assert.Equal(t, s.Path, v.Header.ParentSession.Text())
	assert.Equal(t, "/home/dev/alpha", v.Header.Cwd.Text())

	dir := filepath.Join(t.TempDir(), "new")
	at, err := writeback.Fork(s, writeback.ForkOptions{Entry: "aaaaaaaa", Cwd: "/home/dev/beta", Dir: dir})
	require.NoError(t, err)
	assert.Equal(t, dir, filepath.Dir(at))
	v = view(t, open(t, at))
	assert.Equal(t, 2, v.Tree.Len())
	assert.Equal(t, "L", v.Tree.Label(0))
	assert.Equal(t, s.Path, v.Header.ParentSession.Text())
	assert.Equal(t, "/home/dev/beta", v.Header.Cwd.Text())

	never := filepath.Join(t.TempDir(), "never")
	_, err = writeback.Fork(s, writeback.ForkOptions{Entry: "nosuch", Dir: never})
	require.ErrorIs(t, err, writeback.ErrUnknownEntry)
	assert.NoDirExists(t, never)
	assert.Equal(t, text, read(t, s.Path))

	quiet := stored(t, header+`{"type":"model_change","id":"aaaaaaaa","parentId":null,"timestamp":"2025-01-02T03:04:06.000Z","provider":"p","modelId":"m"}`+"\n")
	_, err = writeback.Fork(quiet, writeback.ForkOptions{Entry: "aaaaaaaa"})
	require.ErrorIs(t, err, writeback.ErrNoConversation)
	assertAlone(t, quiet.Path)
}

// TestForkLegacy gives the entries of the copy the ids that the original shows.
func TestForkLegacy(t *testing.T) {
	s := stored(t, legacy)
	shown := view(t, s)
	last := shown.Tree.ID(shown.Tree.Len() - 1)
	for _, entry := range []string{"", last} {
		path, err := writeback.Fork(s, writeback.ForkOptions{Entry: entry, Dir: t.TempDir()})
		require.NoError(t, err)
		fork := view(t, open(t, path))
		require.Equal(t, shown.Tree.Len(), fork.Tree.Len())
		for i := range fork.Tree.Len() {
			assert.Equal(t, shown.Tree.ID(i), fork.Tree.ID(i))
		}
		assert.Equal(t, contextsOf(t, shown)[last], contextsOf(t, fork)[last])
	}
	assert.Equal(t, legacy, read(t, s.Path))
}

// TestSessionDirs names directories as pi does.
func TestSessionDirs(t *testing.T) {
	t.Setenv("HOME", "/home/dev")
	t.Setenv("PI_CODING_AGENT_DIR", "")
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--home-dev-a-b--", writeback.DefaultSessionDir("/home/dev/a/b/"))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--home-dev-x--", writeback.DefaultSessionDir("~/x"))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--C--a-b--", writeback.DefaultSessionDir(`/C:\a/b`))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/----", writeback.DefaultSessionDir("/"))
	t.Setenv("PI_CODING_AGENT_DIR", "~/agent")
	assert.Equal(t, "/home/dev/agent/sessions/--x--", writeback.DefaultSessionDir("/x"))
}

// TestListWithoutStore lists nothing where nothing is.
func TestListWithoutStore(t *testing.T) {
	infos, err := writeback.List(t.Context(), "/x", filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	assert.Empty(t, infos)
}
