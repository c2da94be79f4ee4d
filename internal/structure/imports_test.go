// Package structure has no code: its tests hold the packages to the imports that
// docs/architecture.md gives them, and the pages to what is there.
package structure

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/pifs/pifs/"

// allowed are the packages of ours that each may depend on, directly or not.
var allowed = map[string][]string{
	"model":     nil,
	"migrate":   {"model", "internal/packed"},
	"tree":      {"model", "internal/packed"},
	"render":    {"model", "tree", "internal/packed"},
	"store":     {"model", "migrate", "tree", "internal/packed"},
	"writeback": {"model", "migrate", "tree", "store", "internal/packed"},
	"fs":        {"model", "migrate", "tree", "render", "store", "writeback", "internal/packed"},
}

// pure are the packages that do no I/O: what they must not import.
var pure = map[string][]string{
	"model":   {"os", "net", "os/exec", "syscall"},
	"migrate": {"os", "net", "os/exec", "syscall"},
	"tree":    {"os", "net", "os/exec", "syscall"},
	"render":  {"os", "net", "os/exec", "syscall"},
}

func TestImports(t *testing.T) {
	for name, may := range allowed {
		for _, dep := range list(t, "{{join .Deps \"\\n\"}}", module+name) {
			if ours, ok := strings.CutPrefix(dep, module); ok {
				assert.Contains(t, may, ours, "%s depends on %s", name, ours)
			}
		}
		for _, imported := range list(t, "{{join .Imports \"\\n\"}}", module+name) {
			assert.False(t, slices.Contains(pure[name], imported), "%s is pure but imports %s", name, imported)
			if name != "fs" {
				assert.NotContains(t, imported, "go-fuse", "%s knows of FUSE", name)
			}
		}
	}
}

// list runs go list.
func list(t *testing.T, format, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", format, pkg).CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.Fields(string(out))
}
