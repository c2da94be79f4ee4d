package render

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/pifs/pifs/model"
)

// parsed is what a CommonMark parser sees of a text, as far as it is ours.
type parsed struct {
	headings []string // of level 2 and 3 with a middle dot, wherever they stand
	fences   []string // the bytes in fences at the top level
}

func parse(source []byte) parsed {
	var p parsed
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			lines := linesOf(n, source)
			if (n.Level == 2 || n.Level == 3) && isDotted([]byte(lines)) {
				p.headings = append(p.headings, fmt.Sprint(n.Level, lines))
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock:
			if n.Parent() == root {
				p.fences = append(p.fences, linesOf(n, source))
			}
		}
		return ast.WalkContinue, nil
	})
	return p
}

func linesOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		b.Write(segment.Value(source))
	}
	return b.String()
}

// asFence is what a fence with content shows to a parser.
func asFence(content string) string {
	content = slowClean(content)
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return content
}

// checkMarkdown renders a session in which message stands in all places before
// and after others, and looks for our headings and fences in it.
func checkMarkdown(t testing.TB, message string) {
	t.Helper()
	message = string(model.Clean([]byte(message))) // As the lines of a store are.
	quoted := string(model.AppendString(nil, message))
	block := `{"type":"text","text":` + quoted + `}`
	file := "x\n```\n## user · x · y\n" + message
	entries := []string{
		`{"type":"message","message":{"role":"user","content":[` + block + `,{"type":"text","text":"  indented\n"},` + block + `]}}`,
		`{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":` + quoted + `},` + block +
			`,{"type":"toolCall","id":"i","name":"write","arguments":{"content":` + string(model.AppendString(nil, file)) + `}}]}}`,
		`{"type":"message","message":{"role":"toolResult","content":[{"type":"text","text":` + quoted + `}]}}`,
		`{"type":"compaction","summary":` + quoted + `}`,
		`{"type":"message","message":{"role":"toolResult","content":` + string(model.AppendString(nil, file)) + `}}`,
	}
	var all []byte
	for _, line := range entries {
		f := Entry(decode(t, line), Place{ID: "id", Time: 0})
		checkFragment(t, f)
		all = f.AppendTo(all, "")
	}
	all = append(all, "## end · x · y\n"...)
	got := parse(all)
	const at = " · id · 1970-01-01T00:00:00.000Z"
	want := []string{"2user" + at, "2assistant" + at, "3write · i", "2toolResult" + at, "2compaction" + at, "2toolResult" + at, "2end · x · y"}
	require.Equal(t, want, got.headings, "%q", message)
	for _, content := range []string{file, message, file} {
		at := 0
		for at < len(got.fences) && got.fences[at] != asFence(content) {
			at++
		}
		require.Less(t, at, len(got.fences), "fence of %q not found in %q", content, got.fences)
		got.fences = got.fences[at+1:]
	}
}

// markdownTokens are what block structure is made of; random texts are made of
// them.
var markdownTokens = []string{
	"\n", "\n", "\n", "\n", "\n\n", " ", "  ", "   ", "    ", "\t", "a", "text", "- ", "-", "* ", "+ ", "1. ", "2. ", "10) ", "1234. ", "> ", ">",
	"```", "````", "``", "~~~", "~~~~", "```go", "`", "# ", "## ", "### ", "##", "## a · b", "### a · b", "a · b", "·", "---", "--", "===", "***", "_ _ _",
	"<!--", "-->", "<script>", "</script>", "<pre>", "</pre>", "<style", "<textarea>", "<?", "?>", "<!X", "<![CDATA[", "]]>", "<div>", "</div>", "<b>", "</b>",
	"<a href='x'>", "<x y", ">", "<meta>", "<br/>", "[a]: b", "[a]:", "'t", "\\", "|", "&middot;", "&#183;", "\u2028", "\u2029", "\r", "\r\n", "\x00", "</ div>", "<pre/>", "<!doctype", "<script/>",
}

func TestRandomMarkdown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		checkMarkdown(t, randomMarkdown(random, 1+random.IntN(24)))
	}
}

func randomMarkdown(random *rand.Rand, tokens int) string {
	var b strings.Builder
	for range tokens {
		b.WriteString(markdownTokens[random.IntN(len(markdownTokens))])
	}
	return b.String()
}

// TestMarkdownFound has what fuzzing has found.
func TestMarkdownFound(t *testing.T) {
	for _, message := range []string{
		strings.Repeat("<![CDATA[", maxTag),
		"## <textarea>\u2029=== a · b",
		"a · b\n-\n--",
		"\n<pre/><!doctype\n]]>",
	} {
		checkMarkdown(t, message)
	}
}

// FuzzMarkdown takes each byte of tokens as a token, and message as it is.
func FuzzMarkdown(f *testing.F) {
	f.Add([]byte{1, 2, 3}, "- a\n```\n")
	f.Fuzz(func(t *testing.T, tokens []byte, message string) {
		var b strings.Builder
		for _, c := range tokens {
			b.WriteString(markdownTokens[int(c)%len(markdownTokens)])
		}
		checkMarkdown(t, b.String())
		checkMarkdown(t, message)
	})
}
