package render

import (
	"bytes"
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

// isSent is InContext by the functions that build the messages.
func isSent(e model.Entry, n int, edit *model.Entry) bool {
	for _, message := range tree.Messages(e, n, edit) {
		if tree.ToLLM(message) != nil {
			return true
		}
	}
	return false
}

// edgeEntries returns all entries of the odd session files.
func edgeEntries(t testing.TB) []model.Entry {
	t.Helper()
	files, err := filepath.Glob("../testdata/edge/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var entries []model.Entry
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			clean := model.Clean([]byte(strings.TrimSpace(line)))
			if _, ok := model.Scan(clean); ok {
				entries = append(entries, model.DecodeEntry(clean))
			}
		}
	}
	return entries
}

func TestInContextIsWhatIsSent(t *testing.T) {
	edits := []*model.Entry{nil}
	for _, replacement := range []string{``, `,"replacement":null`, `,"replacement":{"content":"x"}`, `,"replacement":{}`, `,"replacement":5`} {
		e := decode(t, `{"type":"context_edit","id":"e","targetId":"x"`+replacement+`}`)
		edits = append(edits, &e)
	}
	for _, e := range append(edgeEntries(t), oddEntries(t)...) {
		for n := range 2 {
			for _, edit := range edits {
				assert.Equal(t, isSent(e, n, edit), InContext(&e, n, edit), "step %d: %s", n, e.Raw)
			}
		}
	}
}

// TestEditedImagesBelongToTheEdit has a tail whose messages are replaced as well.
func TestEditedImagesBelongToTheEdit(t *testing.T) {
	image := `[{"type":"image","data":"AAAA"}]`
	e := decode(t, `{"type":"compaction","id":"k","summary":"s","systemMessage":{"role":"system","content":`+image+`},"retainedTail":[{"role":"user","content":"old"},{"role":"assistant","content":"old"}]}`)
	edit := decode(t, `{"type":"context_edit","id":"e","targetId":"k","replacement":{"content":`+image+`}}`)
	text := string(Entry(e, Place{ID: "k", Edit: &edit}).AppendTo(nil, "d/"))
	assert.Equal(t, 1, strings.Count(text, "(d/k-1.bin)"))
	assert.Equal(t, 2, strings.Count(text, "(d/e-1.bin)"))
	assert.NotContains(t, text, "old")
}

// oddEntries returns entries of all kinds in which each field has each type.
func oddEntries(t testing.TB) []model.Entry {
	t.Helper()
	values := []string{`null`, `false`, `true`, `0`, `1.5e3`, `""`, `"text\n"`, `[]`, `[null,1,"x",{"type":"text","text":"t"},{"type":"image"},{"type":"thinking"},{"type":"toolCall"}]`, `{}`, `{"content":[{"type":"text"}],"x":{"y":"\n"}}`}
	var entries []model.Entry
	for _, word := range []string{"model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message", "label", "session_info", "context_edit", "usage", "leaf", "active_tools_change", "unknown"} {
		for _, v := range values {
			fields := ""
			for _, key := range []string{"provider", "modelId", "thinkingLevel", "summary", "tokensBefore", "firstKeptEntryId", "retainedTail", "systemMessage", "fromId", "details", "usage", "customType", "data", "content", "display", "targetId", "label", "name", "replacement", "kind", "model", "note", "activeToolNames"} {
				fields += `,"` + key + `":` + v
			}
			entries = append(entries, decode(t, `{"type":"`+word+`"`+fields+`}`), decode(t, `{"type":"`+word+`"}`))
		}
	}
	for _, role := range []string{"user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary", "system", "unknown"} {
		for _, v := range values {
			fields := ""
			for _, key := range []string{"content", "timestamp", "provider", "model", "stopReason", "errorMessage", "toolCallId", "toolName", "isError", "command", "output", "exitCode", "cancelled", "truncated", "fullOutputPath", "excludeFromContext", "customType", "summary", "fromId", "tokensBefore", "sections", "toolsAdded", "toolsRemoved"} {
				fields += `,"` + key + `":` + v
			}
			entries = append(entries, decode(t, `{"type":"message","message":{"role":"`+role+`"`+fields+`}}`), decode(t, `{"type":"message","message":{"role":"`+role+`"}}`), decode(t, `{"type":"message","message":`+v+`}`))
		}
	}
	return entries
}

// TestOddEntriesAreText renders fields of all types in all places.
func TestOddEntriesAreText(t *testing.T) {
	for _, e := range append(edgeEntries(t), oddEntries(t)...) {
		f := Entry(e, placed(e))
		checkFragment(t, f)
		require.Equal(t, f, Entry(e, placed(e)))
		textBytes, links := Measure(e, placed(e))
		require.Equal(t, len(f.Text), textBytes)
		require.Equal(t, len(f.Links), links)
		require.True(t, isText([]byte(Summary(e, 80))))
		requireLinksToImages(t, e)
		NewFiles("").Add(e)
	}
}

// FuzzEntry takes any line that is an entry.
func FuzzEntry(f *testing.F) {
	for _, e := range append(edgeEntries(f), oddEntries(f)...) {
		f.Add([]byte(e.Raw))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = model.Clean(line)
		if _, ok := model.Scan(line); !ok {
			return
		}
		e := model.DecodeEntry(line)
		checkFragment(t, Entry(e, placed(e)))
		require.True(t, isText([]byte(Summary(e, 80))))
		require.Equal(t, isSent(e, 0, nil), InContext(&e, 0, nil))
		requireLinksToImages(t, e)
		files := NewFiles("/home/dev")
		files.Add(e)
		require.True(t, isText(files.Append(nil)))
	})
}

// requireLinksToImages checks that each link of e's fragment names an image of e.
func requireLinksToImages(t testing.TB, e model.Entry) {
	t.Helper()
	names := map[string]bool{}
	for m := range model.Images(e) {
		names[fmt.Sprintf("%s-%d.%s", appendPath(nil, model.FileName(plain(e.ID))), m.N, m.Ext())] = true
	}
	f := Entry(e, placed(e))
	for _, link := range f.Links {
		name, _, _ := bytes.Cut(f.Text[link:], []byte(")"))
		require.Contains(t, names, string(name))
	}
}

// TestLargeTexts has what would take hours if it took quadratic time.
func TestLargeTexts(t *testing.T) {
	for _, piece := range []string{
		"## ", "## a · b\n", "a · b\n---\n", "· ", "&middot;", "&#", "\u2028## a ", "\u2029> ", "…", "> ", "- ", "```\n", "~~~a\n", "```` ", "`", "<", "<a b ", "<!--", "<x>\n", "<pre>\n",
		"\n", "\r", "\r\n", "\x00", "\u202e", "日", "1. ", "1", "\t", "    a\n", "- a\nlazy\n", "\\", "\"", "]", "&amp; · ",
	} {
		text := string(model.AppendString(nil, strings.Repeat(piece, 1<<20/len(piece))))
		for _, line := range []string{
			`{"type":"message","message":{"role":"user","content":` + text + `}}`,
			`{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":` + text + `},{"type":"toolCall","name":` + text + `,"arguments":{` + text + `:[[` + text + `]]}}]}}`,
			`{"type":"message","message":{"role":"toolResult","content":` + text + `}}`,
		} {
			e := model.DecodeEntry(model.Value(line))
			checkFragment(t, Entry(e, Place{ID: "id"}))
			Summary(e, 80)
		}
	}
}

// TestDeepValues has values nested deeper than a stack is.
func TestDeepValues(t *testing.T) {
	const depth = 1 << 20
	for _, deep := range []string{
		strings.Repeat("[", depth) + `"\n"` + strings.Repeat("]", depth),
		strings.Repeat(`{"a":`, depth) + `"\n"` + strings.Repeat("}", depth),
	} {
		for _, line := range []string{
			`{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","arguments":{"a":` + deep + `}},` + deep + `]}}`,
			`{"type":"custom","data":` + deep + `}`,
			`{"type":"compaction","details":` + deep + `,"retainedTail":` + deep + `}`,
			deep,
		} {
			e := model.DecodeEntry(model.Value(line))
			f := Entry(e, Place{ID: "id"})
			checkFragment(t, f)
			assert.Less(t, len(f.Text), 4*len(line)+1000)
			assert.Less(t, len(EntryJSON(nil, e.Raw)), 4*len(line)+10_000)
			Summary(e, 80)
			NewFiles("").Add(e)
		}
	}
}
