package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// writeSession writes a session file: a header, with a cwd if that is not empty
// and more members, then lines.
func writeSession(t testing.TB, path, id, cwd, more string, lines ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	b := &model.Builder{}
	b.Text("type", "session").Float("version", 3).Text("id", id).Text("timestamp", "2026-01-01T00:00:00.000Z")
	if cwd != "" {
		b.Text("cwd", cwd)
	}
	head := string(b.Object())
	if more != "" {
		head = strings.TrimSuffix(head, "}") + "," + more + "}"
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(append([]string{head}, lines...), "\n")+"\n"), 0o644))
}

// userLine is a user message as pi writes it, child of parent ("" is null).
func userLine(id, parent, text string) string {
	b := &model.Builder{}
	b.Text("type", "message").Text("id", id)
	if parent == "" {
		b.Value("parentId", model.Value("null"))
	} else {
		b.Text("parentId", parent)
	}
	b.Text("timestamp", "2026-01-01T00:00:01.000Z")
	m := &model.Builder{}
	m.Text("role", "user").Text("content", text).Float("timestamp", 1767225601000)
	return string(b.Value("message", m.Object()).Object())
}

// names lists a directory.
func names(t testing.TB, d Dir) (list []string) {
	t.Helper()
	entries, err := d.Entries()
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

// dirAt looks a directory up.
func dirAt(t testing.TB, tr *Tree, name string) Dir {
	t.Helper()
	n, _, err := ioFS{tr}.walk(name, true)
	require.NoError(t, err, name)
	require.Implements(t, (*Dir)(nil), n, name)
	return n.(Dir)
}

func TestProjectNames(t *testing.T) {
	dir := t.TempDir()
	for i, cwd := range []string{"/a/b-c", "/a-b/c", "/", "/root", `C:\work\x`, "/.hidden", "/-dash", "/a b", "relative", "/home/ñ/x\x1b[0m", "", "/srv/"} {
		writeSession(t, filepath.Join(dir, "--some-dir--", fmt.Sprintf("s%02d.jsonl", i)), fmt.Sprint("id", i), cwd, "")
	}
	tr := newTree(t, Options{}, dir)
	want := []string{
		"%2Dash", "%2Ehidden", "%2F", "C--work-x", "a b", "a-b-c", "a-b-c" + shortHash("/a/b-c"),
		"home-ñ-x%1B[0m", "relative", "root", "some-dir", "srv-",
	}
	want[0] = model.FileName("-dash")
	assert.ElementsMatch(t, want, names(t, tr.Root()))
	cwd, err := readNode(dirAt(t, tr, "a-b-c"), nameCwd)
	require.NoError(t, err)
	assert.Equal(t, "/a-b/c\n", cwd, "the first in byte order keeps the name")
}

// readNode reads a file of a directory.
func readNode(d Dir, name string) (string, error) {
	n, err := d.Lookup(name)
	if err != nil {
		return "", err
	}
	f := n.(File)
	size, err := f.Size()
	if err != nil {
		return "", err
	}
	text := make([]byte, size)
	m, err := f.ReadAt(text, 0)
	if int64(m) == size {
		err = nil
	}
	return string(text[:m]), err
}

func TestSessionNames(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "x/one.jsonl"), "1", "/p", "")
	writeSession(t, filepath.Join(dir, "y/one.jsonl"), "2", "/p", "")
	writeSession(t, filepath.Join(dir, "y/two.jsonl"), "3", "/p", "")
	writeSession(t, filepath.Join(dir, "y/cwd.jsonl"), "4", "/p", "")
	writeSession(t, filepath.Join(dir, "z/one.jsonl"), "5", "/q", "")
	tr := newTree(t, Options{}, dir)
	assert.ElementsMatch(t, []string{
		"one" + shortHash("x/one.jsonl"), "one" + shortHash("y/one.jsonl"), "two", "cwd" + shortHash("y/cwd.jsonl"),
		nameCwd, nameLatest, nameTitles,
	}, names(t, dirAt(t, tr, "p")))
	assert.ElementsMatch(t, []string{"one", nameCwd, nameLatest, nameTitles}, names(t, dirAt(t, tr, "q")))
}

func TestTitles(t *testing.T) {
	dir := t.TempDir()
	name := func(n string) string {
		return strings.Replace(namedAs(n), `{"type"`, `{"id":"n","parentId":null,"type"`, 1)
	}
	writeSession(t, filepath.Join(dir, "a.jsonl"), "1", "/p", "", userLine("u", "", "\n  \n first line \nsecond"))
	writeSession(t, filepath.Join(dir, "b.jsonl"), "2", "/p", "", userLine("u", "", "hidden"), name("A name/with a slash"))
	writeSession(t, filepath.Join(dir, "c.jsonl"), "3", "/p", "", userLine("u", "", "same"))
	writeSession(t, filepath.Join(dir, "d.jsonl"), "4", "/p", "", userLine("u", "", "same"))
	writeSession(t, filepath.Join(dir, "e.jsonl"), "5", "/p", "")
	writeSession(t, filepath.Join(dir, "f.jsonl"), "6", "/p", "", userLine("u", "", strings.Repeat("é", 100)))
	tr := newTree(t, Options{}, dir)
	assert.ElementsMatch(t, []string{
		"first line", "A name%2Fwith a slash", "same" + shortHash("c.jsonl"), "same" + shortHash("d.jsonl"),
		"(no messages)", strings.Repeat("é", 80),
	}, names(t, dirAt(t, tr, "p/by-title")))
}

func TestForks(t *testing.T) {
	dir := t.TempDir()
	parent := filepath.Join(dir, "2026-01-01T00-00-00-000Z_aaaa.jsonl")
	writeSession(t, parent, "aaaa", "/p", "", userLine("u", "", "q"))
	quoted := func(s string) string { return string(model.AppendString(nil, s)) }
	writeSession(t, filepath.Join(dir, "bypath.jsonl"), "b", "/p", `"parentSession":`+quoted(parent))
	writeSession(t, filepath.Join(dir, "moved.jsonl"), "c", "/q", `"parentSession":"/gone/2026-01-01T00-00-00-000Z_aaaa.jsonl"`)
	writeSession(t, filepath.Join(dir, "byid.jsonl"), "d", "/q", `"branchedFrom":"aaaa"`)
	writeSession(t, filepath.Join(dir, "lost.jsonl"), "e", "/q", `"parentSession":"/gone/x_nobody.jsonl"`)
	writeSession(t, filepath.Join(dir, "self.jsonl"), "f", "/q", `"parentSession":"f"`)
	tr := newTree(t, Options{}, dir)
	base := "2026-01-01T00-00-00-000Z_aaaa"
	assert.ElementsMatch(t, []string{"bypath", "byid", "moved"}, names(t, dirAt(t, tr, "p/"+base+"/children")))
	for _, name := range []string{"p/bypath", "q/moved", "q/byid"} {
		assert.Equal(t, dirAt(t, tr, "p/"+base), dirAt(t, tr, name+"/parent"), name)
		assert.Equal(t, dirAt(t, tr, name), dirAt(t, tr, "p/"+base+"/children/"+filepath.Base(name)), name)
	}
	for _, name := range []string{"q/lost", "q/self"} {
		assert.NotContains(t, names(t, dirAt(t, tr, name)), nameParent)
	}
}

// TestLatest is what `pi --continue` would open: the newest file.
func TestLatest(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"old", "new", "middle"} {
		path := filepath.Join(dir, name+".jsonl")
		writeSession(t, path, name, "/p", "")
		touch(t, path, []int64{1, 3, 2}[i])
	}
	tr := newTree(t, Options{}, dir)
	assert.Equal(t, dirAt(t, tr, "p/new"), dirAt(t, tr, "p/latest"))
}

// TestLabelsLikeIDs: labels that read like ids, and whose names are not the texts.
func TestLabelsLikeIDs(t *testing.T) {
	ids := []string{"abc", "%00", "#h", "/", " a ", "\x1b[31m", strings.Repeat("a", 300), "a~deadbeef", ""}
	var lines []string
	for i, id := range ids {
		lines = append(lines, userLine(id, "", "q"))
		b := (&model.Builder{}).Text("type", "label").Text("id", fmt.Sprint("label", i)).Value("parentId", model.Value("null"))
		lines = append(lines, string(b.Text("targetId", id).Text("label", id).Object()))
	}
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "s", "/p", "", lines...)
	tr := newTree(t, Options{}, dir)
	labels := dirAt(t, tr, "p/s/labels")
	list, err := labels.Entries()
	require.NoError(t, err)
	assert.Len(t, list, len(ids)-1, "an empty label is none")
	for _, e := range list {
		n, err := labels.Lookup(e.Name)
		require.NoError(t, err, e.Name)
		assert.Equal(t, e.Node, n, e.Name)
	}
}

func TestLabelNames(t *testing.T) {
	b := &tree.Builder{}
	for i, line := range []string{
		userLine("abc", "", "q"), userLine("ünï", "abc", "q"), userLine("x", "ünï", "q"),
		`{"type":"label","id":"l1","parentId":"x","targetId":"x","label":"abc"}`,
		`{"type":"label","id":"l2","parentId":"x","targetId":"abc","label":"ünï"}`,
		`{"type":"label","id":"l3","parentId":"x","targetId":"ünï","label":".."}`,
	} {
		f, ok := model.Scan([]byte(line))
		require.True(t, ok)
		b.Add(i+2, f)
	}
	tr := b.Tree()
	for text, want := range map[string]string{"abc": "%61bc", "ünï": "%C3%BCnï", "..": model.FileName("..")} {
		assert.Equal(t, want, labelName(tr, text))
		l, ok := findLabel(tr, want)
		require.True(t, ok)
		assert.Equal(t, text, l.Text)
	}
	_, ok := findLabel(tr, "abc")
	assert.False(t, ok, "labels/<id> is not that label")
}
