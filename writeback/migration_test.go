package writeback_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
	"github.com/pifs/pifs/writeback"
)

// legacy is a session of version 1 with a compaction, an old role, lines that are no
// entries, and a last line that is torn.
const legacy = `{"type":"session","id":"v1","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/home/dev/alpha","provider":"anthropic","modelId":"m","thinkingLevel":"off"}
{"type":"message","timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"h\u00e9\/","timestamp":1}}

{"type":"message","timestamp":"2025-01-02T03:04:07.000Z","message":{"role":"hookMessage","customType":"x","content":"hook","display":true,"timestamp":2}}
no json at all
{"type":"message", "timestamp":"2025-01-02T03:04:08.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"m","timestamp":3}}
{"type":"compaction","timestamp":"2025-01-02T03:04:09.000Z","summary":"sum","firstKeptEntryIndex":2,"tokensBefore":9}
{"type":"message","timestamp":"2025-01-02T03:04:10.000Z","message":{"role":"user","content":"on","timestamp":4}}
{"type":"message","timest`

// TestMigration changes sessions of version 1 and 2: the file is one of version 3,
// with the ids and contexts that were shown before, and no line is lost.
func TestMigration(t *testing.T) {
	for name, path := range oldSessions(t) {
		t.Run(name, func(t *testing.T) {
			s := open(t, path)
			before := view(t, s)
			contexts, lines := contextsOf(t, before), damagedLines(t, before)
			last := before.Tree.ID(before.Tree.Len() - 1)

			plan := func(*store.View) ([]writeback.Change, error) {
				return []writeback.Change{{Target: last, Label: "L"}}, nil
			}
			require.NoError(t, writeback.Append(s, writeback.Options{}, plan))
			assertAlone(t, path)
			_, err := s.View()
			require.ErrorIs(t, err, store.ErrReplaced)

			after := view(t, open(t, path))
			assert.Equal(t, 3, after.Version)
			require.Equal(t, before.Tree.Len()+1, after.Tree.Len())
			i, ok := after.Tree.Lookup(last)
			require.True(t, ok)
			assert.Equal(t, "L", after.Tree.Label(i))
			now := contextsOf(t, after)
			for id, context := range contexts {
				require.Equal(t, context, now[id], "entry %s", id)
			}
			assert.Equal(t, lines, damagedLines(t, after))
			assert.Equal(t, withoutLinks(before.Header.Raw), withoutLinks(after.Header.Raw))
		})
	}
}

// oldSessions returns copies of all sessions of version 1 and 2 that there are to
// test with.
func oldSessions(t *testing.T) map[string]string {
	t.Helper()
	made := filepath.Join(t.TempDir(), "legacy.jsonl")
	require.NoError(t, os.WriteFile(made, []byte(legacy), 0o600))
	paths := map[string]string{"legacy": made}
	edges, err := filepath.Glob(filepath.Join(needs.Module(t), "testdata", "edge", "v[12]-*.jsonl"))
	require.NoError(t, err)
	for _, path := range edges {
		if filepath.Base(path) != "v1-no-id-no-cwd.jsonl" { // pi takes it for no session.
			paths[filepath.Base(path)] = copyOf(t, path)
		}
	}
	real, err := filepath.Glob(filepath.Join(realDir(t), "*.jsonl"))
	require.NoError(t, err)
	for _, path := range real {
		paths["real/"+filepath.Base(path)] = copyOf(t, path)
	}
	for _, path := range paths { // A torn line counts as damaged once nobody has written for a while.
		require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	}
	return paths
}

// realDir returns the directory of pi's own old files, "" if there is none: they
// are a part of the test, not a condition.
func realDir(t *testing.T) string {
	t.Helper()
	dir := ""
	t.Run("real", func(t *testing.T) { dir = needs.RealSessions(t) })
	return dir
}

// contextsOf returns the context at each entry.
func contextsOf(t *testing.T, v *store.View) map[string]string {
	t.Helper()
	var entries []model.Entry
	for i := range v.Tree.Len() {
		e, err := v.Entry(i)
		require.NoError(t, err)
		entries = append(entries, e)
	}
	contexts := make(map[string]string)
	for i := 0; i < len(entries); i += 1 + len(entries)/25 {
		id := v.Tree.ID(i)
		contexts[id] = string(tree.BuildSessionContext(entries, id))
	}
	return contexts
}

// damagedLines returns the lines that are no entries.
func damagedLines(t *testing.T, v *store.View) []string {
	t.Helper()
	var lines []string
	for _, d := range v.Damaged {
		line, err := v.DamagedLine(d)
		require.NoError(t, err)
		lines = append(lines, string(line))
	}
	return lines
}

// withoutLinks returns an object without what a migration adds.
func withoutLinks(v model.Value) string {
	return string(v.With("version", nil))
}

// TestMigrationText shows a migrated file, byte for byte.
func TestMigrationText(t *testing.T) {
	s := stored(t, legacy)
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName("n")))
	want := `{"type":"session","id":"v1","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/home/dev/alpha","provider":"anthropic","modelId":"m","thinkingLevel":"off","version":3}
{"type":"message","timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"h\u00e9\/","timestamp":1},"id":"id 0","parentId":null}

{"type":"message","timestamp":"2025-01-02T03:04:07.000Z","message":{"role":"custom","customType":"x","content":"hook","display":true,"timestamp":2},"id":"id 1","parentId":"id 0"}
no json at all
{"type":"message","timestamp":"2025-01-02T03:04:08.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"m","timestamp":3},"id":"id 2","parentId":"id 1"}
{"type":"compaction","timestamp":"2025-01-02T03:04:09.000Z","summary":"sum","tokensBefore":9,"id":"id 3","parentId":"id 2","firstKeptEntryId":"id 1"}
{"type":"message","timestamp":"2025-01-02T03:04:10.000Z","message":{"role":"user","content":"on","timestamp":4},"id":"id 4","parentId":"id 3"}
{"type":"message","timest
{"type":"session_info","id":"id 5","parentId":"id 4","timestamp":"TIME","name":"n"}
`
	assert.Equal(t, want, normalized(read(t, s.Path)))
}

// TestMigrationForPi has the real pi open migrated files: it sees the contexts that
// it sees in the old ones, but for ids, and changes nothing.
func TestMigrationForPi(t *testing.T) {
	needs.Pi(t)
	for name, path := range oldSessions(t) {
		t.Run(name, func(t *testing.T) {
			before := piView(t, path)
			require.NoError(t, writeback.Append(open(t, path), writeback.Options{}, writeback.SetName("n")))
			text := read(t, path)
			after := piView(t, path)
			assert.Equal(t, "n", after.Name)
			assert.Equal(t, before.Entries+1, after.Entries)
			assert.JSONEq(t, before.context, after.context)

			pi := startPi(t, "append", path)
			pi.call("getLeafId")
			assert.Equal(t, text, read(t, path), "pi has changed the file")
		})
	}
}

// piSession is what the real pi makes of a session file.
type piSession struct {
	Name    string
	Entries int
	context string
}

func piView(t *testing.T, path string) piSession {
	t.Helper()
	var p piSession
	require.NoError(t, json.Unmarshal(oracle.Ask(t, "session", path), &p))
	p.context = string(oracle.Ask(t, "context", path))
	return p
}

// TestMigrationSteps makes each step of a migration fail: the error reaches the
// caller, the path names a whole file, the old or the new one, and nothing else is
// left. The next change succeeds.
func TestMigrationSteps(t *testing.T) {
	recorder := &faults{}
	require.NoError(t, writeback.Append(stored(t, legacy), writeback.Options{FS: recorder}, writeback.SetName("n")))
	steps := slices.Compact(slices.Sorted(slices.Values(recorder.seen)))
	require.Contains(t, steps, writeback.OpRename)
	for _, step := range steps {
		t.Run(string(step), func(t *testing.T) {
			s := stored(t, legacy)
			err := writeback.Append(s, writeback.Options{FS: &faults{at: step, err: syscall.ENOSPC}}, writeback.SetName("n"))
			require.ErrorIs(t, err, syscall.ENOSPC)
			assertAlone(t, s.Path)
			if read(t, s.Path) != legacy {
				require.Contains(t, []writeback.Op{writeback.OpOpenDir, writeback.OpSyncDir, writeback.OpLate, writeback.OpClose, writeback.OpCloseNew}, step)
			}
			s = open(t, s.Path)
			require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName("n")))
			name, _ := view(t, open(t, s.Path)).Tree.Name()
			assert.Equal(t, "n", name)
		})
	}
}

// TestMigrationKilled ends the process at each step. The path names a whole file,
// and what is left behind is cleared away by the next change.
func TestMigrationKilled(t *testing.T) {
	recorder := &faults{}
	require.NoError(t, writeback.Append(stored(t, legacy), writeback.Options{FS: recorder}, writeback.SetName("n")))
	for n := range recorder.seen {
		s := stored(t, legacy)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"=migrate", fmt.Sprintf("PIFS_STEP=%d", n), "PIFS_FILE="+s.Path)
		err := cmd.Run()
		require.Error(t, err, "it was to be killed")
		require.Equal(t, killed, cmd.ProcessState.ExitCode())
		if text := read(t, s.Path); text != legacy {
			assert.Equal(t, 3, view(t, open(t, s.Path)).Version)
		}
		require.NoError(t, writeback.Append(open(t, s.Path), writeback.Options{}, writeback.SetName("n")))
		name, _ := view(t, open(t, s.Path)).Tree.Name()
		require.Equal(t, "n", name, "killed at step %d, %s", n, recorder.seen[n])
		assertAlone(t, s.Path)
	}
}

// TestMigrationOfChanging has another program append, to the file that it has open,
// while that is replaced: its line is in the new file too.
func TestMigrationOfChanging(t *testing.T) {
	line := `{"type":"message","timestamp":"2025-01-02T03:04:11.000Z","message":{"role":"user","content":"late","timestamp":5}}`
	for _, step := range []writeback.Op{writeback.OpCreate, writeback.OpSyncNew, writeback.OpUnchanged, writeback.OpRename, writeback.OpOpenDir, writeback.OpLate} {
		s := stored(t, legacy)
		before := view(t, s).Tree.Len()
		foreign, err := os.OpenFile(s.Path, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		defer foreign.Close()
		fs := &faults{before: once(step, func() {
			_, err := foreign.WriteString("\n" + line + "\n")
			require.NoError(t, err)
		})}
		require.NoError(t, writeback.Append(s, writeback.Options{FS: fs}, writeback.SetName("n")))
		after := view(t, open(t, s.Path))
		assert.Equal(t, before+2, after.Tree.Len(), "%s", step)
		assert.Equal(t, 1, strings.Count(read(t, s.Path), `"late"`), "%s", step)
		for i := range after.Tree.Len() {
			assert.NotEmpty(t, after.Tree.ID(i), "%s", step)
		}
		assertAlone(t, s.Path)
	}
}

// TestMigrationTwice has another pifs migrate the session first. The change goes
// into its file.
func TestMigrationTwice(t *testing.T) {
	s := stored(t, legacy)
	fs := &faults{before: once(writeback.OpLock, func() {
		require.NoError(t, writeback.Append(open(t, s.Path), writeback.Options{}, writeback.SetName("first")))
	})}
	require.NoError(t, writeback.Append(s, writeback.Options{FS: fs}, writeback.SetName("second")))
	text := read(t, s.Path)
	assert.Less(t, strings.Index(text, "first"), strings.Index(text, "second"))
	assert.Equal(t, 1, strings.Count(text, `"version":3`))
	name, _ := view(t, open(t, s.Path)).Tree.Name()
	assert.Equal(t, "second", name)
}

// TestMigrationNotNeeded leaves an old file alone if nothing changes.
func TestMigrationNotNeeded(t *testing.T) {
	s := stored(t, legacy)
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName("")))
	assert.Equal(t, legacy, read(t, s.Path))
}

// TestMigrationAttributes keeps mode, owner and extended attributes, and replaces
// what a symbolic link leads to, not the link.
func TestMigrationAttributes(t *testing.T) {
	target := filepath.Join(t.TempDir(), "real.jsonl")
	require.NoError(t, os.WriteFile(target, []byte(legacy), 0o600))
	require.NoError(t, os.Chmod(target, 0o640))
	attribute := unix.Setxattr(target, "user.pifs.test", []byte("value"), 0) == nil
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(target, 12345, 23456))
	}
	link := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.Symlink(target, link))
	before := stat(t, target)

	require.NoError(t, writeback.Append(open(t, link), writeback.Options{}, writeback.SetName("n")))
	assertAlone(t, target)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, os.ModeSymlink, info.Mode().Type())
	after := stat(t, target)
	assert.Equal(t, before.Mode(), after.Mode())
	assert.NotEqual(t, before.Sys().(*syscall.Stat_t).Ino, after.Sys().(*syscall.Stat_t).Ino)
	assert.Equal(t, before.Sys().(*syscall.Stat_t).Uid, after.Sys().(*syscall.Stat_t).Uid)
	assert.Equal(t, before.Sys().(*syscall.Stat_t).Gid, after.Sys().(*syscall.Stat_t).Gid)
	if attribute {
		value := make([]byte, 16)
		n, err := unix.Getxattr(target, "user.pifs.test", value)
		require.NoError(t, err)
		assert.Equal(t, "value", string(value[:n]))
	}
}

// TestMigrationHardLinks refuses to tear the names of a file apart.
func TestMigrationHardLinks(t *testing.T) {
	s := stored(t, legacy)
	other := filepath.Join(t.TempDir(), "other.jsonl")
	require.NoError(t, os.Link(s.Path, other))
	err := writeback.Append(s, writeback.Options{}, writeback.SetName("n"))
	require.ErrorIs(t, err, writeback.ErrHardLinks)
	assert.Equal(t, syscall.EMLINK, writeback.Errno(err))
	assert.Equal(t, legacy, read(t, s.Path))
	assertAlone(t, s.Path)
}

// TestMigrationOfBrokenLinks keeps line endings and bytes that are no UTF-8.
func TestMigrationKeepsBytes(t *testing.T) {
	text := strings.ReplaceAll(legacy, "\n", "\r\n")
	text = strings.Replace(text, `"on"`, "\"o\xffn\"", 1)
	s := stored(t, text)
	before := contextsOf(t, view(t, s))
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName("n")))
	assert.Contains(t, read(t, s.Path), "\"o\xffn\"")
	after := contextsOf(t, view(t, open(t, s.Path)))
	for id, context := range before {
		assert.Equal(t, context, after[id])
	}
}
