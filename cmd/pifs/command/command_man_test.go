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
	assert.Contains(t, ok(t, "man"), `.TH "PIFS" "1"`)

	dir := filepath.Join(t.TempDir(), "man1")
	ok(t, "man", dir)
	for _, cmd := range command.NewRoot().Commands() {
		page, err := os.ReadFile(filepath.Join(dir, "pifs-"+cmd.Name()+".1"))
		require.NoError(t, err)
		assert.Contains(t, string(page), `.TH "PIFS-`+strings.ToUpper(cmd.Name())+`" "1"`)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		assert.Contains(t, ok(t, "completion", shell), "pifs", shell)
	}
}
