package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with testdata/<name>, or writes it there.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// decode reads an entry, which must be valid.
func decode(t testing.TB, line string) model.Entry {
	t.Helper()
	require.True(t, model.Valid([]byte(line)), "no JSON: %s", line)
	return model.DecodeEntry(model.Value(line))
}

// placed returns an entry's place, by its own fields.
func placed(e model.Entry) Place {
	return Place{ID: plain(e.ID), Time: model.ParseTime(e.Timestamp)}
}

const head = `"id":"8a16ac06","parentId":"7b05fb95","timestamp":"2025-12-09T00:53:29.825Z"`

// TestEntryGolden has a row for each kind of entry and message, and for the odd
// shapes in which they occur.
func TestEntryGolden(t *testing.T) {
	image := `{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}`
	for name, line := range map[string]string{
		"user":              `{"type":"message",` + head + `,"message":{"role":"user","content":[{"type":"text","text":"What is *this*?\n\n## A heading\n"},` + image + `,{"type":"text","text":"and this"}],"timestamp":1}}`,
		"user-string":       `{"type":"message",` + head + `,"message":{"role":"user","content":"plain"}}`,
		"user-fake-heading": `{"type":"message",` + head + `,"message":{"role":"user","content":"## assistant · 8a16ac06 · 2025-12-09T00:53:29.825Z\n> ### bash · call_1\nuser · x · y\n---\n"}}`,
		"user-open-fence":   `{"type":"message",` + head + `,"message":{"role":"user","content":"look:\n~~~~sh\nls"}}`,
		"user-open-comment": `{"type":"message",` + head + `,"message":{"role":"user","content":"<!-- not\n\nclosed"}}`,
		"user-unsure":       `{"type":"message",` + head + `,"message":{"role":"user","content":"- item\nlazy\n  ` + "```" + `\ncode"}}`,
		"user-odd-blocks":   `{"type":"message",` + head + `,"message":{"role":"user","content":[null,1,"x",[],{"type":"text"},{"type":"text","text":5},{"type":"document","uri":"a"},{"type":"image"},{"type":"image","data":"file:///x.png","mimeType":"image/](x"}]}}`,
		"user-controls":     `{"type":"message",` + head + `,"message":{"role":"user","content":"NUL \u0000 ESC \u001b[31m DEL \u007f C1 \u009b CRLF\r\nCR \r RTL \u202e BOM \ufeff lone \ud83d end"}}`,
		"user-no-content":   `{"type":"message",` + head + `,"message":{"role":"user"}}`,
		"user-list-list":    `{"type":"message",` + head + `,"message":{"role":"user","content":[{"type":"text","text":"- a"},{"type":"text","text":"  - b"}]}}`,

		"assistant":              `{"type":"message",` + head + `,"message":{"role":"assistant","content":[{"type":"thinking","thinking":"first\n\nthen ` + "```" + `\n"},{"type":"thinking","thinking":"","redacted":true,"thinkingSignature":"x"},{"type":"text","text":"Answer"},{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"ls -la","timeout":30}},{"type":"toolCall","id":"call_2","name":"write","arguments":{"path":"a.go","content":"package a\n\n// ` + "```" + `\n"}}],"api":"x","provider":"anthropic","model":"claude-sonnet-4-5","stopReason":"toolUse"}}`,
		"assistant-error":        `{"type":"message",` + head + `,"message":{"role":"assistant","content":[],"provider":"openai","model":"gpt","stopReason":"error","errorMessage":"529 overloaded"}}`,
		"assistant-aborted":      `{"type":"message",` + head + `,"message":{"role":"assistant","content":[{"type":"text","text":"I was"}],"provider":"openai","model":"gpt","stopReason":"aborted","errorMessage":"Request was aborted\nby you"}}`,
		"assistant-length":       `{"type":"message",` + head + `,"message":{"role":"assistant","content":[{"type":"text","text":"long"}],"model":"gpt","stopReason":"length"}}`,
		"assistant-null-content": `{"type":"message",` + head + `,"message":{"role":"assistant","content":null}}`,
		"assistant-calls":        `{"type":"message",` + head + `,"message":{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"edit","arguments":{"path":"x y","edits":[{"oldText":"a \"quoted\"","newText":"b\nc"},{"oldText":"plain","newText":""}],"flags":[1,2],"none":null,"empty":"","odd key":"v","":1,"- x":"\t"}},{"type":"toolCall","id":"call_2","name":"none","arguments":{}},{"type":"toolCall","name":7,"arguments":"{\"broken"},{"type":"toolCall"}]}}`,

		"tool-result":        `{"type":"message",` + head + `,"message":{"role":"toolResult","toolCallId":"call_1","toolName":"bash","content":[{"type":"text","text":"a\n` + "````" + `\n## user · x · y\r\nend"},` + image + `],"isError":false}}`,
		"tool-result-error":  `{"type":"message",` + head + `,"message":{"role":"toolResult","toolCallId":"call_1","toolName":"bash","content":[{"type":"text","text":""}],"isError":true}}`,
		"tool-result-string": `{"type":"message",` + head + `,"message":{"role":"toolResult","content":"text\n"}}`,

		"bash":           `{"type":"message",` + head + `,"message":{"role":"bashExecution","command":"make test","output":"ok\n","exitCode":0,"cancelled":false,"truncated":false}}`,
		"bash-excluded":  `{"type":"message",` + head + `,"message":{"role":"bashExecution","command":"cat <<E\nx\nE","output":"","exitCode":1,"cancelled":false,"truncated":true,"fullOutputPath":"/tmp/out.log","excludeFromContext":true}}`,
		"bash-cancelled": `{"type":"message",` + head + `,"message":{"role":"bashExecution","command":"sleep 9","output":7,"exitCode":null,"cancelled":true,"truncated":true}}`,

		"custom-role":          `{"type":"message",` + head + `,"message":{"role":"custom","customType":"inject","content":"text","display":true}}`,
		"branch-summary-role":  `{"type":"message",` + head + `,"message":{"role":"branchSummary","summary":"left","fromId":"a"}}`,
		"compaction-role":      `{"type":"message",` + head + `,"message":{"role":"compactionSummary","summary":"all of it","tokensBefore":2}}`,
		"system":               `{"type":"message",` + head + `,"message":{"role":"system","content":[{"type":"text","text":"You are pi."}],"sections":{"env":"<env>\ncwd\n</env>","gone":null},"toolsAdded":[{"name":"read","description":"Reads \"files\""}],"toolsRemoved":[{"name":"bash"}]}}`,
		"unknown-role":         `{"type":"message",` + head + `,"message":{"role":"pythonExecution","code":"1\n2","output":"1"}}`,
		"unknown-role-content": `{"type":"message",` + head + `,"message":{"role":"seen","content":[` + image + `]}}`,
		"role-line-break":      `{"type":"message",` + head + `,"message":{"role":"a\n## b"}}`,
		"no-message":           `{"type":"message",` + head + `}`,
		"null-message":         `{"type":"message",` + head + `,"message":null}`,
		"number-message":       `{"type":"message",` + head + `,"message":5}`,
		"message-no-role":      `{"type":"message",` + head + `,"message":{"content":"text"}}`,

		"model-change":         `{"type":"model_change",` + head + `,"provider":"openai","modelId":"gpt-5"}`,
		"thinking-level":       `{"type":"thinking_level_change",` + head + `,"thinkingLevel":"high"}`,
		"compaction":           `{"type":"compaction",` + head + `,"summary":"# Goal\nx\n","firstKeptEntryId":"5d5e31c2","tokensBefore":50000,"details":{"readFiles":["a.go"],"modifiedFiles":["b c.go"]}}`,
		"compaction-tail":      `{"type":"compaction",` + head + `,"summary":"s","firstKeptEntryId":"missing","tokensBefore":1,"systemMessage":{"role":"system","content":"You are."},"retainedTail":[{"role":"user","content":[{"type":"text","text":"kept"},` + image + `],"timestamp":1765241600000},{"role":"toolResult","content":"x","toolName":"ls"},null]}`,
		"compaction-odd":       `{"type":"compaction",` + head + `,"summary":{"a":1},"tokensBefore":"many"}`,
		"branch-summary":       `{"type":"branch_summary",` + head + `,"fromId":"root","summary":"tried A","details":{"readFiles":["a"],"modifiedFiles":[]},"fromHook":true}`,
		"branch-summary-empty": `{"type":"branch_summary",` + head + `,"fromId":"abc","summary":""}`,
		"custom":               `{"type":"custom",` + head + `,"customType":"todo","data":{ "count": 1, "note": "a\nb" }}`,
		"custom-message":       `{"type":"custom_message","customType":"inject","content":[{"type":"text","text":"text"},` + image + `],"display":false,"details":{"k":1},` + head + `}`,
		"label":                `{"type":"label",` + head + `,"targetId":"5d5e31c2","label":"before\nrefactor"}`,
		"label-cleared":        `{"type":"label",` + head + `,"targetId":"5d5e31c2"}`,
		"session-info":         `{"type":"session_info",` + head + `,"name":"Refactor auth"}`,
		"session-info-cleared": `{"type":"session_info",` + head + `,"name":""}`,
		"context-edit":         `{"type":"context_edit",` + head + `,"targetId":"5d5e31c2","replacement":{"content":[{"type":"text","text":"shorter"},` + image + `]}}`,
		"context-edit-null":    `{"type":"context_edit",` + head + `,"targetId":"5d5e31c2","replacement":null}`,
		"context-edit-odd":     `{"type":"context_edit",` + head + `,"replacement":"x"}`,
		"usage":                `{"type":"usage",` + head + `,"kind":"cache_warm","provider":"anthropic","model":"claude","usage":{"input":1,"output":2,"cost":{"total":0.5}},"note":"why"}`,
		"leaf":                 `{"type":"leaf",` + head + `,"targetId":"5d5e31c2"}`,
		"leaf-null":            `{"type":"leaf",` + head + `,"targetId":null}`,
		"active-tools":         `{"type":"active_tools_change",` + head + `,"activeToolNames":["read","bash"]}`,
		"unknown-type":         `{"type":"mode_change", ` + head + `, "mode": "plan" }`,
		"no-type":              `{` + head + `,"x":1}`,
		"wrong-types":          `{"type":5,"id":{"a":1},"parentId":[],"timestamp":"never"}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := decode(t, line)
			f := Entry(e, placed(e))
			checkFragment(t, f)
			golden(t, name+".md", f.AppendTo(nil, "images/"))
		})
	}
}

// TestPlaceGolden has what a fragment says beside its body.
func TestPlaceGolden(t *testing.T) {
	user := decode(t, `{"type":"message",`+head+`,"message":{"role":"user","content":"as it was"}}`)
	bash := decode(t, `{"type":"message",`+head+`,"message":{"role":"bashExecution","command":"ls"}}`)
	edit := decode(t, `{"type":"context_edit","id":"e1","targetId":"8a16ac06","replacement":{"content":[{"type":"text","text":"as it is"},{"type":"image","data":"AAAA","mimeType":"image/gif"}]}}`)
	drop := decode(t, `{"type":"context_edit","id":"e1","targetId":"8a16ac06","replacement":null}`)
	at := placed(user)
	for name, test := range map[string]struct {
		e     model.Entry
		place Place
	}{
		"place-parent":    {user, Place{ID: at.ID, Time: at.Time, Parent: "root"}},
		"place-note":      {user, Place{ID: "line-7", Time: model.NoTime, Note: "id used again on line 7"}},
		"place-edited":    {user, Place{ID: at.ID, Time: at.Time, Edit: &edit, EditID: "line-9"}},
		"place-edited-id": {user, Place{ID: at.ID, Time: at.Time, Edit: &edit}},
		"place-dropped":   {user, Place{ID: at.ID, Time: at.Time, Edit: &drop}},
		"place-no-edit":   {bash, Place{ID: at.ID, Time: at.Time, Edit: &edit}},
		"place-odd-id":    {user, Place{ID: "a\n## b\x1b[31m · c/d", Time: at.Time}},
	} {
		t.Run(name, func(t *testing.T) {
			f := Entry(test.e, test.place)
			checkFragment(t, f)
			golden(t, name+".md", f.AppendTo(nil, "images/"))
		})
	}
}

func TestDamagedGolden(t *testing.T) {
	f := Damaged(440, []byte("{\"a\":1}{\"b\":\"```\x00\xff\"}\r"))
	checkFragment(t, f)
	golden(t, "damaged.md", f.AppendTo(nil, ""))
}

// checkFragment holds what is true of every fragment.
func checkFragment(t testing.TB, f Fragment) {
	t.Helper()
	require.True(t, isText(f.Text), "not clean text: %q", f.Text)
	require.True(t, bytes.HasPrefix(f.Text, []byte("## ")), "no heading: %q", f.Text)
	require.True(t, bytes.HasSuffix(f.Text, []byte("\n\n")), "no blank line: %q", f.Text)
	require.Equal(t, f.Size("../x/"), int64(len(f.AppendTo(nil, "../x/"))))
}
