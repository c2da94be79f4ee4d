package render

import (
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
				assert.Equal(t, isSent(e, n, edit), InContext(e, n, edit), "step %d: %s", n, e.Raw)
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
		require.True(t, isText([]byte(Summary(e, 80))))
		NewFiles("").Add(e)
	}
}
