package structure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// namedTest is how docs/semantics.md names a test: its package's folder, and it.
var namedTest = regexp.MustCompile("`([a-z/]+) ((?:Test|Fuzz)[A-Za-z0-9]+)`")

// TestPagesNameTests sees that the tests which show what is promised exist, and that
// each row of docs/semantics.md names one.
func TestPagesNameTests(t *testing.T) {
	top := needs.Module(t)
	for _, page := range []string{"semantics.md", "architecture.md"} {
		text, err := os.ReadFile(filepath.Join(top, "docs", page))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			named := namedTest.FindAllStringSubmatch(line, -1)
			if page == "semantics.md" && strings.HasPrefix(line, "| ") && !strings.HasSuffix(line, "| test |\n") {
				assert.NotEmpty(t, named, line)
			}
			for _, match := range named {
				assert.True(t, strings.Contains(testSource(t, filepath.Join(top, match[1])), "func "+match[2]+"("), "no test %s", match[0])
			}
		}
	}
}

// testSource returns the text of a package's tests.
func testSource(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

var localLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestLinksLeadSomewhere follows the links of the pages to files of this project.
func TestLinksLeadSomewhere(t *testing.T) {
	top := needs.Module(t)
	pages, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join(top, "README.md"), filepath.Join(top, "CHANGELOG.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range localLink.FindAllStringSubmatch(string(text), -1) {
			assert.FileExists(t, filepath.Join(filepath.Dir(page), link[1]), "%s: %s", page, link[0])
		}
	}
}
