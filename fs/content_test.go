package fs

import (
	"encoding/base64"
	"encoding/json"
	iofs "io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// readFS reads a file of the tree, following links.
func readFS(t testing.TB, tr *Tree, name string) string {
	t.Helper()
	text, err := iofs.ReadFile(tr.FS(), name)
	require.NoError(t, err)
	return string(text)
}

// TestOneText holds that an entry stands in a context.md and in transcript.md as in its
// own file, but for the way to its images, and that the transcript has nothing else.
func TestOneText(t *testing.T) {
	tr := newTree(t, Options{}, edgeStore, sampleStore)
	for _, p := range tr.layout().projects {
		for _, st := range p.seats {
			v, err := st.session.View()
			require.NoError(t, err)
			dir := path.Join(p.name, st.name)
			head, rest, ok := strings.Cut(readFS(t, tr, path.Join(dir, nameTranscript)), "\n---\n\n")
			require.True(t, ok && strings.HasPrefix(head, "---\n"), dir)
			for i := range v.Tree.Len() {
				text := readFS(t, tr, path.Join(dir, nameEntries, entryName(v, uint32(i))+".md"))
				before, after, ok := strings.Cut(rest, strings.ReplaceAll(text, imagesFromEntries, imagesFromSession))
				require.True(t, ok, "%s: %s", dir, text)
				if len(v.Damaged) == 0 {
					assert.Empty(t, before, "%s: before an entry", dir)
				}
				rest = after
			}
			if len(v.Damaged) == 0 {
				assert.Empty(t, rest, dir)
			}
			for _, tip := range v.Tree.Branches() {
				context := readFS(t, tr, path.Join(dir, nameBranches, entryName(v, uint32(tip)), nameContext))
				for _, step := range v.Tree.Context(int(tip)).Steps {
					if step.Edit != noEdit || v.Tree.Kind(int(step.Entry)) != model.KindUser {
						continue
					}
					text := readFS(t, tr, path.Join(dir, nameEntries, entryName(v, uint32(step.Entry))+".md"))
					assert.Contains(t, context, strings.ReplaceAll(text, imagesFromEntries, imagesFromBranch), dir)
				}
			}
		}
	}
}

// TestEntryJSON reads an entry whose strings and numbers are spelled oddly.
func TestEntryJSON(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "1", "/p", "",
		`{"type":"custom","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","customType":"x","data":{"n":1.0e3,"s":"caf\u00e9\/","list":[],"deep":{"k":[1,2]}}}`)
	tr := newTree(t, Options{}, dir)
	assert.Equal(t, `{
  "type": "custom",
  "id": "a",
  "parentId": null,
  "timestamp": "2026-01-01T00:00:01.000Z",
  "customType": "x",
  "data": {
    "n": 1.0e3,
    "s": "caf\u00e9\/",
    "list": [],
    "deep": {
      "k": [
        1,
        2
      ]
    }
  }
}
`, readFS(t, tr, "p/s/entries/a.json"))
}

// TestImages reads images, and follows the links to them from where they are shown.
func TestImages(t *testing.T) {
	image := `{"type":"image","mimeType":"image/png","data":"` + onePixel + `"}`
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "s.jsonl"), "1", "/p", "",
		dated("a", "", 1, `"type":"message","message":{"role":"user","content":[{"type":"text","text":"two"},`+image+`,`+image+`]}`),
		dated("b", "a", 2, `"type":"message","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[`+image+`]}`),
		dated("c", "b", 3, `"type":"message","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"not base64!"}]}`))
	tr := newTree(t, Options{}, dir)
	want, err := base64.StdEncoding.DecodeString(onePixel)
	require.NoError(t, err)
	assert.Equal(t, []string{"a-1.png", "a-2.png", "b-1.png"}, names(t, dirAt(t, tr, "p/s/images")))
	for _, name := range names(t, dirAt(t, tr, "p/s/images")) {
		assert.Equal(t, string(want), readFS(t, tr, "p/s/images/"+name))
	}
	link := regexp.MustCompile(`!\[[^]]*\]\(([^)]+)\)`)
	for file, images := range map[string]int{"p/s/branches/b/context.md": 3, "p/s/transcript.md": 3, "p/s/entries/a.md": 2} {
		found := link.FindAllStringSubmatch(readFS(t, tr, file), -1)
		assert.Len(t, found, images, file)
		for _, match := range found {
			assert.Equal(t, string(want), readFS(t, tr, path.Join(path.Dir(file), match[1])), "%s in %s", match[1], file)
		}
	}
}

// TestUnlisted finds what no directory lists.
func TestUnlisted(t *testing.T) {
	tr := newTree(t, Options{}, edgeStore)
	dir := "edge-demo/" + branchy
	assert.NotContains(t, names(t, tr.Root()), nameMeta)
	assert.Equal(t, metaNames, names(t, dirAt(t, tr, nameMeta)))
	assert.Equal(t, []string{"d1", "d2", "d3"}, names(t, dirAt(t, tr, dir+"/branches")))
	for _, id := range []string{"a", "c2", "l1", "s"} {
		assert.Equal(t, []string{nameContext, nameContextJSON, namePath}, names(t, dirAt(t, tr, dir+"/branches/"+id)), id)
	}
	labels := dirAt(t, tr, dir+"/labels")
	assert.Empty(t, names(t, labels))
	_, err := labels.Lookup("d1")
	assert.ErrorIs(t, err, ErrNotExist, "an entry without a label")
}

// TestPath lists the way from the root to an entry.
func TestPath(t *testing.T) {
	tr := newTree(t, Options{}, edgeStore)
	dir := "edge-demo/" + branchy + "/branches/d3/path"
	assert.Equal(t, []string{
		"0001-user-a.md", "0002-assistant-b.md", "0003-branch_summary-s.md", "0004-user-c3.md", "0005-assistant-d3.md",
	}, names(t, dirAt(t, tr, dir)))
	target, err := tr.FS().(ioFS).ReadLink(dir + "/0003-branch_summary-s.md")
	require.NoError(t, err)
	assert.Equal(t, "../../../entries/s.md", target)
}

// TestOwnCost sums what a fork has cost by itself, beside what it took along.
func TestOwnCost(t *testing.T) {
	spent := func(id, parent string, sec int, tokens string) string {
		return dated(id, parent, sec, `"type":"message","message":{"role":"assistant","content":"x","usage":{"input":`+tokens+
			`,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":`+tokens+`,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.5}}}`)
	}
	dir := t.TempDir()
	parent := filepath.Join(dir, "parent.jsonl")
	writeSession(t, parent, "1", "/p", "", spent("a", "", 1, "10"))
	writeSession(t, filepath.Join(dir, "fork.jsonl"), "2", "/p", `"parentSession":"`+parent+`","timestamp":"2026-01-01T00:00:05.000Z"`,
		spent("a", "", 1, "10"), spent("b", "a", 6, "7"))
	tr := newTree(t, Options{}, dir)
	type sums struct {
		Tokens, Cost struct {
			All any
			Own any
		}
	}
	read := func(name string) (s sums) {
		require.NoError(t, json.Unmarshal([]byte(readFS(t, tr, "p/"+name+"/info.json")), &s))
		return s
	}
	assert.Equal(t, 0.5, read("parent").Cost.All)
	assert.Nil(t, read("parent").Cost.Own, "all of it is")
	assert.Equal(t, 1.0, read("fork").Cost.All)
	assert.Equal(t, 0.5, read("fork").Cost.Own)
}
