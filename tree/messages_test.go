package tree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/model"
)

// at is 2026-01-01T00:00:01Z as entries and messages write it.
const (
	at        = `"timestamp":"2026-01-01T00:00:01.000Z"`
	atMessage = `"timestamp":1767225601000`
)

func decode(entry string) model.Entry { return model.DecodeEntry(model.Value(entry)) }

func join(messages []model.Value) string {
	var texts []string
	for _, m := range messages {
		texts = append(texts, string(m))
	}
	return strings.Join(texts, "\n")
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ rule, entry, want string }{
		{"the stored bytes", `{"type":"message","message":{"role":"user", "content":"\u0061","n":1.50}}`, `{"role":"user", "content":"\u0061","n":1.50}`},
		{"an unknown role", `{"type":"message","message":{"role":"robot"}}`, `{"role":"robot"}`},
		{"no object", `{"type":"message","message":"text"}`, `"text"`},
		{"null", `{"type":"message","message":null}`, ``},
		{"missing", `{"type":"message"}`, ``},
		{"null content keeps its place", `{"type":"message","message":{"role":"user","content":null,"timestamp":1}}`, `{"role":"user","content":[],"timestamp":1}`},
		{"missing content", `{"type":"message","message":{"role":"assistant","timestamp":1}}`, `{"role":"assistant","timestamp":1,"content":[]}`},
		{"null content of a tool result", `{"type":"message","message":{"role":"toolResult","content":null}}`, `{"role":"toolResult","content":[]}`},
		{"null content of a system message", `{"type":"message","message":{"role":"system","content":null}}`, `{"role":"system","content":""}`},
		{"null content of another role", `{"type":"message","message":{"role":"custom","content":null}}`, `{"role":"custom","content":null}`},
		{"custom_message", `{"type":"custom_message","customType":"x","content":"c","display":false,"details":{"k":1},` + at + `}`,
			`{"role":"custom","customType":"x","content":"c","display":false,"details":{"k":1},` + atMessage + `}`},
		{"custom_message with nothing", `{"type":"custom_message","content":null,"timestamp":"never"}`, `{"role":"custom","content":[],"timestamp":null}`},
		{"branch_summary", `{"type":"branch_summary","summary":"s","fromId":"root",` + at + `}`, `{"role":"branchSummary","summary":"s","fromId":"root",` + atMessage + `}`},
		{"empty branch_summary", `{"type":"branch_summary","summary":"","fromId":"a",` + at + `}`, ``},
		{"compaction", `{"type":"compaction","summary":"s","tokensBefore":7,` + at + `}`, `{"role":"compactionSummary","summary":"s","tokensBefore":7,` + atMessage + `}`},
		{"compaction with a system message and a tail", `{"type":"compaction","summary":"s","systemMessage":{"role":"system"},"retainedTail":[{"role":"user"},1],` + at + `}`,
			`{"role":"system"}` + "\n" + `{"role":"compactionSummary","summary":"s",` + atMessage + `}` + "\n" + `{"role":"user"}` + "\n1"},
		{"state", `{"type":"custom","customType":"x","data":1}`, ``},
		{"label", `{"type":"label","targetId":"a","label":"x"}`, ``},
		{"unknown type", `{"type":"odd","message":{"role":"user"}}`, ``},
	} {
		assert.Equal(t, c.want, join(Messages(decode(c.entry), 0, nil)), c.rule)
	}
	older := decode(`{"type":"compaction","summary":"s","retainedTail":[1]}`)
	assert.Empty(t, Messages(older, 1, nil), "an older compaction inside the kept range")
}

func TestEditedMessages(t *testing.T) {
	const user, assistant = `{"type":"message","message":{"role":"user","content":"old","timestamp":1}}`,
		`{"type":"message","message":{"role":"assistant","content":[],"timestamp":1}}`
	for _, c := range []struct{ rule, entry, replacement, want string }{
		{"null drops", user, `null`, ``},
		{"a string", user, `{"content":"new"}`, `{"role":"user","content":"new","timestamp":1}`},
		{"blocks", user, `{"content":[1]}`, `{"role":"user","content":[1],"timestamp":1}`},
		{"a string is a block for an assistant", assistant, `{"content":"new"}`, `{"role":"assistant","content":[{"type":"text","text":"new"}],"timestamp":1}`},
		{"blocks for an assistant", assistant, `{"content":[1]}`, `{"role":"assistant","content":[1],"timestamp":1}`},
		{"a string is a block for a tool result", `{"type":"message","message":{"role":"toolResult"}}`, `{"content":"new"}`, `{"role":"toolResult","content":[{"type":"text","text":"new"}]}`},
		{"custom_message", `{"type":"custom_message","content":"old","timestamp":0}`, `{"content":"new"}`, `{"role":"custom","content":"new","timestamp":0}`},
		{"another role stays", `{"type":"message","message":{"role":"system","content":"old"}}`, `{"content":"new"}`, `{"role":"system","content":"old"}`},
		{"but null drops it too", `{"type":"message","message":{"role":"system","content":"old"}}`, `null`, ``},
		{"no content in it", user, `{}`, `{"role":"user","timestamp":1}`},
		{"no object", user, `"new"`, `{"role":"user","timestamp":1}`},
		{"missing: pi throws", user, ``, `{"role":"user","content":"old","timestamp":1}`},
	} {
		edit := decode(`{"type":"context_edit","targetId":"a"}`)
		if c.replacement != "" {
			edit = decode(`{"type":"context_edit","targetId":"a","replacement":` + c.replacement + `}`)
		}
		assert.Equal(t, c.want, join(Messages(decode(c.entry), 0, &edit)), c.rule)
	}
}

func TestModelAndThinking(t *testing.T) {
	change := decode(`{"type":"model_change","provider":"p","modelId":"m"}`)
	bare := decode(`{"type":"model_change"}`)
	assistant := decode(`{"type":"message","message":{"role":"assistant","provider":"p","model":"m"}}`)
	thinking := decode(`{"type":"thinking_level_change","thinkingLevel":"high"}`)
	noLevel := decode(`{"type":"thinking_level_change"}`)
	for _, c := range []struct {
		modelAt, thinkingAt *model.Entry
		model, level        string
	}{
		{nil, nil, `null`, `"off"`},
		{&change, &thinking, `{"provider":"p","modelId":"m"}`, `"high"`},
		{&assistant, nil, `{"provider":"p","modelId":"m"}`, `"off"`},
		{&bare, &noLevel, `{}`, ``},
	} {
		mdl, level := ModelAndThinking(c.modelAt, c.thinkingAt)
		assert.Equal(t, c.model, string(mdl))
		assert.Equal(t, c.level, string(level))
	}
}

func TestToLLM(t *testing.T) {
	bash := func(text string) string {
		return `{"role":"user","content":[{"type":"text","text":"` + text + `"}],"timestamp":1}`
	}
	const stamp = `,"timestamp":1}`
	for _, c := range []struct{ rule, message, want string }{
		{"as it is", `{"role":"user", "content":"c"}`, `{"role":"user", "content":"c"}`},
		{"output", `{"role":"bashExecution","command":"ls \"a\"","output":"b\\\ud83d","exitCode":0` + stamp, bash("Ran `ls \\\"a\\\"`\\n```\\nb\\\\\\ud83d\\n```")},
		{"no output", `{"role":"bashExecution","command":"true","output":""` + stamp, bash("Ran `true`\\n(no output)")},
		{"exit code", `{"role":"bashExecution","command":"false","exitCode":1.0` + stamp, bash("Ran `false`\\n(no output)\\n\\nCommand exited with code 1")},
		{"cancelled", `{"role":"bashExecution","command":"x","exitCode":1,"cancelled":true` + stamp, bash("Ran `x`\\n(no output)\\n\\n(command cancelled)")},
		{"truncated", `{"role":"bashExecution","command":"x","truncated":true,"fullOutputPath":"/t"` + stamp, bash("Ran `x`\\n(no output)\\n\\n[Output truncated. Full output: /t]")},
		{"truncated, no path", `{"role":"bashExecution","command":"x","truncated":true` + stamp, bash("Ran `x`\\n(no output)")},
		{"wrong types", `{"role":"bashExecution","output":{},"exitCode":null` + stamp, bash("Ran `undefined`\\n```\\n[object Object]\\n```")},
		{"null command", `{"role":"bashExecution","command":null,"exitCode":true` + stamp, bash("Ran `null`\\n(no output)\\n\\nCommand exited with code true")},
		{"excluded", `{"role":"bashExecution","command":"x","excludeFromContext":true}`, ``},
		{"custom text", `{"role":"custom","content":"c"` + stamp, bash("c")},
		{"custom blocks", `{"role":"custom","content":[1]` + stamp, `{"role":"user","content":[1],"timestamp":1}`},
		{"custom without anything", `{"role":"custom"}`, `{"role":"user"}`},
		{"branch summary", `{"role":"branchSummary","summary":"s\n"` + stamp,
			bash(`The following is a summary of a branch that this conversation came back from:\n\n<summary>\ns\n</summary>`)},
		{"compaction summary", `{"role":"compactionSummary","summary":"s"` + stamp,
			bash(`The conversation history before this point was compacted into the following summary:\n\n<summary>\ns\n</summary>`)},
		{"unknown role", `{"role":"robot"}`, ``},
		{"no object", `"text"`, ``},
	} {
		assert.Equal(t, c.want, string(ToLLM(model.Value(c.message))), c.rule)
	}
}
