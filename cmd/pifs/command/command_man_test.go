package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
)

func TestMan(t *testing.T) {
	root := ok(t, "man")
	assert.Contains(t, root, `.TH "PIFS" "1"`)
	for _, section := range []string{"COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"} {
		assert.Contains(t, root, "\n.SH "+section+"\n")
	}
	assert.Contains(t, root, ".TP\n\\fBpifs fork SESSION[@ENTRY]\\fP\nMake a new session")
	assert.Contains(t, root, ".TP\n\\fB7\\fP\nunmount: someone is inside\n")

	dir := filepath.Join(t.TempDir(), "man1")
	ok(t, "man", dir)
	for _, cmd := range command.NewRoot().Commands() {
		page, err := os.ReadFile(filepath.Join(dir, "pifs-"+cmd.Name()+".1"))
		require.NoError(t, err)
		assert.Contains(t, string(page), `.TH "PIFS-`+strings.ToUpper(cmd.Name())+`" "1"`)
		for _, noise := range []string{"[=false]", "=[]", `=""`} {
			assert.NotContains(t, string(page), noise, cmd.Name())
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "pifs-mount.1"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "\n\\fB--cache-size\\fP=\\fISIZE\\fP\n\tmemory for what has been read and rendered (default 64M)\n", "what is worth knowing stays")
	assert.Contains(t, string(page), "\n\\fB--store\\fP=\\fIDIR\\fP\n\tsession store DIR (repeatable;")
	assert.Contains(t, root, "\n.SH SYNOPSIS\n\\fBpifs COMMAND\\fP\n")
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		assert.Contains(t, ok(t, "completion", shell), "pifs", shell)
	}
	help := ok(t, "completion")
	assert.Contains(t, help, "package bash-completion")
	assert.Contains(t, help, "source <(pifs completion bash)")
}
