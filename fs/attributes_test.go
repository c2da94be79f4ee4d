package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// dated is an entry with a time of its own, in seconds after midnight, and members.
func dated(id, parent string, sec int, members string) string {
	return fmt.Sprintf(`{"id":"%s","parentId":"%s","timestamp":"2026-01-01T00:00:%02d.000Z",%s}`, id, parent, sec, members)
}

// onePixel is the smallest PNG, in base64.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// TestDates looks at the date of each kind of node: an entry's own, that of the entry
// that last changed the node, or that of the last user or assistant message.
func TestDates(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "1", "/p", "",
		dated("a", "", 1, `"type":"message","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"`+onePixel+`"}]}`),
		dated("b", "a", 2, `"type":"message","message":{"role":"assistant","content":"x","timestamp":1767225602500}`),
		dated("n", "b", 3, `"type":"session_info","name":"Named"`),
		dated("l1", "n", 4, `"type":"label","targetId":"a","label":"L"`),
		dated("l2", "l1", 5, `"type":"label","targetId":"b","label":"M"`),
		strings.Replace(dated("c", "l2", 6, `"type":"custom","customType":"x"`), `2026-01-01T00:00:06.000Z`, "no time", 1),
		dated("d", "c", 7, `"type":"custom","customType":"x"`))
	writeSession(t, filepath.Join(dir, "fork.jsonl"), "2", "/p", `"parentSession":"`+filepath.Join(dir, "s.jsonl")+`"`,
		dated("f", "", 9, `"type":"message","message":{"role":"user","content":"later"}`))
	touch(t, filepath.Join(dir, "s.jsonl"), 1767225650)
	touch(t, filepath.Join(dir, "fork.jsonl"), 1767225640)
	writeSession(t, filepath.Join(dir, "old.jsonl"), "3", "/q", "", strings.Replace(userLine("x", "", "q"), "2026-01-01T00:00:01.000Z", "no time", 1))
	touch(t, filepath.Join(dir, "old.jsonl"), 1767225660)
	tr := newTree(t, Options{}, dir)
	for path, sec := range map[string]float64{
		"":                                   60, // the file that was written last
		"p":                                  9,  // the newest session
		"p/cwd":                              9,
		"p/by-title":                         9,
		"p/by-title/later":                   9,
		"p/by-title/Named":                   2.5,
		"p/latest":                           2.5, // it is s that pi would continue
		"p/s":                                2.5, // the last user or assistant message, by its own time
		"p/s/children":                       2.5,
		"p/s/children/fork":                  9,
		"p/fork/parent":                      9,
		"p/fork/name":                        0, // as the session was made
		"p/fork/labels":                      0,
		"p/s/name":                           3,
		"p/s/labels":                         5,
		"p/s/labels/L":                       4,
		"p/s/labels/M":                       5,
		"p/s/labels/a":                       4,
		"p/s/info.json":                      7, // the last entry
		"p/s/tree.txt":                       7,
		"p/s/files.txt":                      7,
		"p/s/transcript.md":                  7,
		"p/s/session.jsonl":                  7,
		"p/s/branches":                       7,
		"p/s/entries":                        7,
		"p/s/images":                         7,
		"p/s/current":                        2, // the entry where pi would resume
		"p/s/branches/a":                     1,
		"p/s/branches/b":                     2,
		"p/s/branches/b/context.md":          2,
		"p/s/branches/b/context.json":        2,
		"p/s/branches/b/path":                2,
		"p/s/branches/b/path/0001-user-a.md": 1,
		"p/s/entries/b.md":                   2,
		"p/s/entries/b.json":                 2,
		"p/s/entries/c.md":                   5, // a bad time: the nearest good one before it
		"p/s/images/a-1.png":                 1,
		"q/old/entries/x.md":                 60, // no good time at all: the file\'s
	} {
		n, err := lookupPath(tr, path)
		require.NoError(t, err, path)
		a, err := n.Attr()
		require.NoError(t, err, path)
		assert.InDelta(t, sec, float64(a.MtimeMS-1767225600000)/1000, 1e-9, path)
	}
}

// TestModes holds that nothing is more readable than its store file, nor owned by
// anybody else.
func TestModes(t *testing.T) {
	for _, row := range []struct{ store, dir, file, name os.FileMode }{
		{0o644, 0o755, 0o444, 0o644},
		{0o600, 0o700, 0o400, 0o600},
		{0o640, 0o750, 0o440, 0o640},
		{0o444, 0o555, 0o444, 0o444},
		{0o666, 0o755, 0o444, 0o644},
		{0o6755, 0o755, 0o444, 0o644},
	} {
		for _, readOnly := range []bool{false, true} {
			dir := t.TempDir()
			file := filepath.Join(dir, "s.jsonl")
			writeSession(t, file, "1", "/p", "", userLine("a", "", "q"), labelLine("a", "L"))
			require.NoError(t, syscall.Chmod(file, uint32(row.store)))
			tr := newTree(t, Options{ReadOnly: readOnly}, dir)
			if readOnly {
				row.name &= 0o444
			}
			for path, want := range map[string]os.FileMode{
				"p": os.ModeDir | row.dir, "p/by-title": os.ModeDir | row.dir, "p/cwd": row.file,
				"p/s": os.ModeDir | row.dir, "p/s/labels": os.ModeDir | row.dir, "p/s/entries": os.ModeDir | row.dir,
				"p/s/branches/a": os.ModeDir | row.dir, "p/s/branches/a/path": os.ModeDir | row.dir,
				"p/s/name": row.name, "p/s/labels/L": row.name, "p/s/labels/a": row.name,
				"p/s/info.json": row.file, "p/s/transcript.md": row.file, "p/s/entries/a.md": row.file,
				"p/s/entries/a.json": row.file, "p/s/branches/a/context.md": row.file,
				"p/latest": linkMode, "p/s/current": linkMode, "p/s/session.jsonl": linkMode,
				".pifs": os.ModeDir | 0o700, ".pifs/log": 0o400,
			} {
				n, err := lookupPath(tr, path)
				require.NoError(t, err, path)
				a, err := n.Attr()
				require.NoError(t, err, path)
				assert.Equal(t, want, a.Mode, "%s of a file with %o", path, row.store)
			}
		}
	}
}

// labelLine is a label entry as pi writes it.
func labelLine(target, label string) string {
	return dated("label-"+target, target, 30, `"type":"label","targetId":"`+target+`","label":"`+label+`"`)
}

// TestMixedModes has sessions of several modes in one project: who may read one may
// look into the project, but titles are for who may read all.
func TestMixedModes(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "public.jsonl"), "1", "/p", "")
	writeSession(t, filepath.Join(dir, "private.jsonl"), "2", "/p", "")
	require.NoError(t, os.Chmod(filepath.Join(dir, "private.jsonl"), 0o600))
	tr := newTree(t, Options{}, dir)
	for path, want := range map[string]os.FileMode{
		"p": os.ModeDir | 0o755, "p/cwd": 0o444, "p/by-title": os.ModeDir | 0o700,
		"p/public": os.ModeDir | 0o755, "p/private": os.ModeDir | 0o700,
	} {
		n, err := lookupPath(tr, path)
		require.NoError(t, err, path)
		a, err := n.Attr()
		require.NoError(t, err, path)
		assert.Equal(t, want, a.Mode, path)
	}
}

// TestOwners holds that a node belongs to who the store file belongs to.
func TestOwners(t *testing.T) {
	needs.Root(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "q"))
	require.NoError(t, os.Chown(file, 12345, 23456))
	tr := newTree(t, Options{}, dir)
	visit(t, tr.Root(), "", func(name string, n Node) {
		a, err := n.Attr()
		require.NoError(t, err)
		assert.Equal(t, [2]uint32{12345, 23456}, [2]uint32{a.UID, a.GID}, name)
	})
}
