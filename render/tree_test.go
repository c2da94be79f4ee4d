package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// session is a session's entries and their tree.
type session struct {
	entries []model.Entry
	tree    *tree.Tree
}

func newSession(t testing.TB, lines ...string) session {
	t.Helper()
	var s session
	var b tree.Builder
	for i, line := range lines {
		fields, ok := model.Scan([]byte(line))
		require.True(t, ok, "no entry: %s", line)
		b.Add(i+2, fields)
		s.entries = append(s.entries, model.DecodeEntry(model.Value(line)))
	}
	s.tree = b.Tree()
	return s
}

// headLines is how many lines stand before the drawing of a session without title.
const headLines = 2

// draw returns tree.txt.
func (s session) draw(name string) []byte {
	return Tree(s.tree, name, "the-id", func(i int) string { return Summary(s.entries[i], 60) })
}

// message returns the line of a user message.
func message(id, parent, text string) string {
	parentID := `null`
	if parent != "" {
		parentID = `"` + parent + `"`
	}
	return `{"type":"message","id":"` + id + `","parentId":` + parentID + `,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"` + text + `"}}`
}

func forked(t testing.TB) session {
	return newSession(t,
		message("a", "", "question"),
		message("b", "a", "answer"),
		message("c1", "b", "try A"),
		message("d1", "c1", "A goes on"),
		message("c2", "b", "try B"),
		`{"type":"label","id":"l1","parentId":"c2","timestamp":"2026-01-01T00:00:01.000Z","targetId":"d1","label":"keep\nme"}`,
		`{"type":"branch_summary","id":"s","parentId":"b","timestamp":"2026-01-01T00:00:02.000Z","fromId":"l1","summary":"left B"}`,
		message("c3", "s", "try C"),
		message("c3a", "c3", "C one"),
		message("c3b", "c3", "C two"),
		`{"type":"compaction","id":"k","parentId":"c3b","timestamp":"2026-01-01T00:00:03.000Z","summary":"# all\n\nof it","firstKeptEntryId":"c3","tokensBefore":5000}`,
		`{"type":"context_edit","id":"e","parentId":"k","timestamp":"2026-01-01T00:00:04.000Z","targetId":"c3","replacement":null}`,
		message("orphan", "nowhere", "lost"),
		message("same", "", "first of two"),
		message("same", "d1", "second of two"),
		`{"type":"session_info","id":"n","parentId":"e","timestamp":"never","name":"x"}`,
		`{"parentId":"n"}`,
	)
}

func TestTreeGolden(t *testing.T) {
	golden(t, "tree-forked.txt", forked(t).draw("A \x1b[31mname"))
	golden(t, "tree-chain.txt", newSession(t, message("a", "", "one"), message("b", "a", "two")).draw(""))
	golden(t, "tree-empty.txt", newSession(t).draw(""))
}

// TestTreeHasEveryEntryOnce holds what is promised of line, on odd trees too.
func TestTreeHasEveryEntryOnce(t *testing.T) {
	s := newSession(t, message("a", "b", ""), message("b", "a", ""), message("c", "c", ""), message("b", "a", ""), message("d", "b", ""))
	calls := map[int]int{}
	text := string(Tree(s.tree, "", "", func(i int) string {
		calls[i]++
		return fmt.Sprint("#", i)
	}))
	for i := range s.tree.Len() {
		assert.Equal(t, 1, calls[i], "entry %d", i)
		assert.Equal(t, 1, strings.Count(text, fmt.Sprint("#", i, "\n")), "entry %d", i)
	}
}

// TestTreeOfManyBranches has forks below forks: what is drawn before a line does
// not grow without end.
func TestTreeOfManyBranches(t *testing.T) {
	const branches = 5000
	lines := []string{message("t0", "", "")}
	for n := 1; n <= branches; n++ {
		parent := fmt.Sprint("t", n-1)
		lines = append(lines, message(fmt.Sprint("b", n), parent, ""), message(fmt.Sprint("t", n), parent, ""))
	}
	text := newSession(t, lines...).draw("")
	assert.Equal(t, headLines+2*branches+1, strings.Count(string(text), "\n"))
	assert.Less(t, len(text), len(lines)*(100+5*maxDrawn))
}

// TestTreeOfLongLabel: a label is cut like the text beside it.
func TestTreeOfLongLabel(t *testing.T) {
	label := func(text string) string {
		return `{"type":"label","id":"l","parentId":"a","timestamp":"2026-01-01T00:00:01.000Z","targetId":"a","label":"` + text + `"}`
	}
	text := string(newSession(t, message("a", "", "question"), label(strings.Repeat("ü", maxLabel))).draw(""))
	assert.Contains(t, text, "["+strings.Repeat("ü", maxLabel)+"]")
	text = string(newSession(t, message("a", "", "question"), label(strings.Repeat("ü", maxLabel+1))).draw(""))
	assert.Contains(t, text, "["+strings.Repeat("ü", maxLabel-1)+"…]")
}

func TestTreeOfLongChain(t *testing.T) {
	lines := []string{message("e0", "", "")}
	for n := 1; n < 100_000; n++ {
		lines = append(lines, message(fmt.Sprint("e", n), fmt.Sprint("e", n-1), ""))
	}
	text := newSession(t, lines...).draw("")
	assert.NotContains(t, string(text), "─")
	assert.Equal(t, headLines+len(lines), strings.Count(string(text), "\n"))
}

func TestSummary(t *testing.T) {
	for line, want := range map[string]string{
		message("a", "", "one\\n\\ttwo  three"):                "one two three",
		message("a", "", strings.Repeat("日", 50)):              strings.Repeat("日", 19) + "…",
		message("a", "", strings.Repeat("x", 20)):              strings.Repeat("x", 20),
		message("a", "", strings.Repeat(`\ud83d\ude42`, 5000)): strings.Repeat("🙂", 19) + "…",
		`{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"toolCall","name":"bash","arguments":{"command":"ls\n"}},{"type":"toolCall","name":"x"}]}}`: "bash ls ; x",
		`{"type":"message","message":{"role":"assistant","content":null,"stopReason":"error","errorMessage":"529"}}`:                                                                                       "stopReason error 529",
		`{"type":"message","message":{"role":"toolResult","toolName":"ls","isError":true,"content":[{"type":"text","text":"no"}]}}`:                                                                        "ls error: no",
		`{"type":"message","message":{"role":"bashExecution","command":"make","excludeFromContext":true}}`:                                                                                                 "(excluded) make",
		`{"type":"message","message":{"role":"user","content":[{"type":"image"}]}}`:                                                                                                                        "(image)",
		`{"type":"message"}`: "(no message)",
		`{"type":"x"}`:       `(no message) {"type…`,
		`{"type":"leaf"}`:    "",
		`{"type":"label"}`:   "cleared",
		`{"type":"model_change","provider":"p","modelId":"m"}`:                   "p/m",
		`{"type":"thinking_level_change","thinkingLevel":"high"}`:                "high",
		`{"type":"session_info","name":"N"}`:                                     `"N"`,
		`{"type":"context_edit","targetId":"a","replacement":null}`:              "a dropped",
		`{"type":"context_edit","targetId":"a","replacement":{"content":"new"}}`: "a replaced: new",
		`{"type":"usage","kind":"warm","provider":"p","model":"m"}`:              "warm p/m",
		`{"type":"active_tools_change","activeToolNames":["a"]}`:                 `["a"]`,
		`{"type":"custom","customType":"todo","data":{"a":1}}`:                   `todo {"a":1}`,
		`{"type":"custom_message","content":"c"}`:                                "c",
		`{"type":"branch_summary","fromId":"a","summary":"s"}`:                   "from a s",
		`{"type":"message","message":{"role":"branchSummary","summary":"s"}}`:    "s",
	} {
		assert.Equal(t, want, Summary(decode(t, line), 20), "%s", line)
	}
	assert.Empty(t, Summary(decode(t, message("a", "", "text")), 0))
}
