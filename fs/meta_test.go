package fs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMeta reads .pifs, which no list of the root has.
func TestMeta(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "1", "/p", "", userLine("a", "", "q"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "no\nsession.jsonl"), []byte("[]\n"), 0o644))
	root := mount(t, Options{Version: "1.2.3"}, dir)
	list, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "p", list[0].Name())
	list, err = os.ReadDir(filepath.Join(root, nameMeta))
	require.NoError(t, err)
	assert.Len(t, list, len(metaNames))
	read := func(name string) string {
		path := filepath.Join(root, nameMeta, name)
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o400), info.Mode())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, "1.2.3\n", read("version"))
	assert.Empty(t, read("log"))
	skipped := read("skipped")
	assert.Equal(t, 1, strings.Count(skipped, "\n"), "a line a file: %q", skipped)
	assert.Contains(t, skipped, "no session header: the first value is no object")
	var stats struct{ Sessions, Projects, Skipped int }
	require.NoError(t, json.Unmarshal([]byte(read("stats.json")), &stats))
	assert.Equal(t, struct{ Sessions, Projects, Skipped int }{1, 1, 1}, stats)
}

// TestPanic holds that a handler's panic is an I/O error that is logged, and no end of
// the mount.
func TestPanic(t *testing.T) {
	tr := newTree(t, Options{}, sampleStore)
	front := &fuseFS{t: tr}
	handler := tr.fuseOptions(front, MountOptions{}).PanicHandler
	require.NotNil(t, handler)
	assert.Equal(t, fuse.EIO, handler("boom"))
	assert.Contains(t, string(tr.log.text()), "panic: boom\n")
	assert.Contains(t, string(tr.log.text()), "TestPanic", "the stack")
}

// TestLog keeps the newest lines.
func TestLog(t *testing.T) {
	var l log
	for range 3 * logBytes / 100 {
		l.printf("%s", strings.Repeat("x", 100))
	}
	l.printf("the last")
	text := string(l.text())
	assert.LessOrEqual(t, len(text), logBytes)
	assert.True(t, strings.HasSuffix(text, " the last\n"))
	assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ x+\n`, text, "it begins with a whole line")
}

// TestMountFlags looks at how a tree is mounted: nothing in it can be run, and other
// users, if they are let in, are held to the modes.
func TestMountFlags(t *testing.T) {
	root := mount(t, Options{}, t.TempDir())
	table, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); fields[4] == root {
			assert.Subset(t, strings.Split(fields[5], ","), []string{"rw", "nosuid", "nodev", "noexec"})
			assert.NotContains(t, line, "allow_other")
			assert.Contains(t, line, " - fuse.pifs pifs ")
		}
	}
	tr := newTree(t, Options{}, t.TempDir())
	o := tr.fuseOptions(&fuseFS{t: tr}, MountOptions{AllowOther: true})
	assert.True(t, o.AllowOther)
	assert.Contains(t, o.Options, "default_permissions")
}
