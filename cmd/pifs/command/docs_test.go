package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// TestDocsShowWhatIsPrinted holds the examples of docs/reading.md against what the
// command prints. A line … stands for lines that are left out.
func TestDocsShowWhatIsPrinted(t *testing.T) {
	noStore(t)
	page, err := os.ReadFile(filepath.Join(needs.Module(t), "docs", "reading.md"))
	require.NoError(t, err)
	examples := regexp.MustCompile("(?s)(`{3,})console\n\\$ pifs ([^\n]*)\n(.*?)\n(`{3,})\n\n").FindAllStringSubmatch(string(page), -1)
	require.Len(t, examples, 3)
	for _, example := range examples {
		printed := ok(t, strings.Fields(example[2])...)
		for _, part := range strings.Split("\n"+example[3]+"\n", "\n…\n") {
			assert.Contains(t, "\n"+printed, "\n"+strings.TrimPrefix(part, "\n"), example[2])
		}
	}
}

// TestExampleOfTheLibrary runs the program in the README.
func TestExampleOfTheLibrary(t *testing.T) {
	module := needs.Module(t)
	page, err := os.ReadFile(filepath.Join(module, "README.md"))
	require.NoError(t, err)
	_, program, found := strings.Cut(string(page), "\n```go\n")
	require.True(t, found)
	program, _, _ = strings.Cut(program, "```\n")
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	store := sampleStore(t)
	run := exec.Command("go", "run", file, store)
	run.Dir = module
	printed, err := run.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	assert.Equal(t, 4, strings.Count(string(printed), store), "%s", printed)
	assert.Contains(t, string(printed), " Cache the forecast\n")
}
