package fs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statsOf reads .pifs/stats.json of a mount.
func statsOf(t testing.TB, root string) (s struct{ Renders, Calls, Prefills, ScanBytes, ComparedBytes, BodyBytes int64 }) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".pifs/stats.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

// TestListingRendersNothing counts what is rendered for what only lists, and what is
// read of entries for that: nothing, but where images are listed.
func TestListingRendersNothing(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		root := mount(t, Options{ReadOnly: readOnly}, edgeStore, sampleStore)
		for _, line := range []string{
			"ls", "ls *", "ls */*", "ls */*/branches */*/entries */*/labels", "ls */*/current/",
			"find . -maxdepth 3", "compgen -f edge-demo/three*/entries/",
			"ls -l */*/branches", "ls -ld */*", "cat */*/name */cwd", "echo */*/branches/*/*",
		} {
			out, err := shell(t, root, "bash", line)
			require.NoError(t, err, "%s: %s", line, out)
			require.Zero(t, statsOf(t, root).Renders, "%s renders", line)
			require.Zero(t, statsOf(t, root).BodyBytes, "%s reads entries", line)
		}
		for _, line := range []string{"ls */*/images", "find . -type d", "find . -name '*.md'", "find .", "ls -R"} {
			out, err := shell(t, root, "bash", line)
			require.NoError(t, err, "%s: %s", line, out)
			require.Zero(t, statsOf(t, root).Renders, "%s renders", line)
		}
		_, err := shell(t, root, "bash", "cat */*/current/context.md")
		require.NoError(t, err)
		assert.NotZero(t, statsOf(t, root).Renders, "the count counts")
	}
}

// TestWarmReads counts the kernel's messages for reading again what was read.
func TestWarmReads(t *testing.T) {
	for _, row := range []struct {
		files    string
		readOnly bool
		most     int64 // messages for each file
	}{
		{"*/*/entries/*.md", true, 0},
		{"*/*/entries/*.md", false, 2},
		{"*/*/current/context.md", true, 0},
		{"*/*/current/context.md", false, 2},
	} {
		store := copyStore(t, edgeStore)
		atRest(t, store)
		root := mount(t, Options{ReadOnly: row.readOnly}, store)
		files, err := filepath.Glob(filepath.Join(root, row.files))
		require.NoError(t, err)
		files = slices.DeleteFunc(files, func(f string) bool { return strings.Contains(f, "/"+nameLatest+"/") })
		require.Greater(t, len(files), 15)
		read := func() int64 {
			before := statsOf(t, root).Calls
			out, err := exec.Command("cat", files...).CombinedOutput()
			require.NoError(t, err, string(out))
			return statsOf(t, root).Calls - before
		}
		read()
		const forStats = 8 // looking at stats.json itself
		got := read()
		assert.LessOrEqual(t, got, row.most*int64(len(files))+forStats, "%s, read only %v", row.files, row.readOnly)
		t.Logf("%s, read only %v: %d messages for %d files", row.files, row.readOnly, got, len(files))
	}
}

// TestEachFragmentOnce counts the renderings for reading all branches of a session.
func TestEachFragmentOnce(t *testing.T) {
	root := mount(t, Options{}, edgeStore)
	dir := filepath.Join(root, "edge-demo", branchy)
	for _, name := range []string{"branches/d1/context.md", "branches/d2/context.md", "branches/d3/context.md", nameTranscript, "entries/a.md"} {
		_, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
	}
	text, err := os.ReadFile(filepath.Join(edgeStore, branchy+".jsonl"))
	require.NoError(t, err)
	entries := int64(strings.Count(string(text), "\n") - 1)
	assert.Equal(t, entries, statsOf(t, root).Renders)
}

// TestAppendCostsItsBytes counts what is read of a session's file when entries are
// appended to it and its context is shown.
func TestAppendCostsItsBytes(t *testing.T) {
	const n, appends = 2000, 20
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeMany(t, file, n, func(i int) int { return i - 1 })
	root := mount(t, Options{}, dir)
	context := func() string {
		text, err := os.ReadFile(filepath.Join(root, "p/s/current/context.md"))
		require.NoError(t, err)
		return string(text)
	}
	context()
	before := statsOf(t, root)
	parent, bytes := fmt.Sprintf("%08x", n-1), 0
	for i := range appends {
		id := fmt.Sprintf("%08x", n+i)
		line := userLine(id, parent, "appended "+id)
		appendTo(t, file, line)
		parent, bytes = id, bytes+len(line)+1
		eventually(t, id, func() bool { return strings.Contains(context(), "appended "+id) })
	}
	after := statsOf(t, root)
	assert.EqualValues(t, bytes, after.ScanBytes-before.ScanBytes, "scanned")
	assert.EqualValues(t, appends, after.Renders-before.Renders, "rendered")
	assert.LessOrEqual(t, after.BodyBytes-before.BodyBytes, int64(4*bytes), "read to be shown")
	assert.LessOrEqual(t, after.ComparedBytes-before.ComparedBytes, int64(appends*2*5000), "the beginning and the end of what is known")
}
