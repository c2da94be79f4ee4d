package command_test

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
