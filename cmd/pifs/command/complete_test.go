package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompletePath(t *testing.T) {
	noStore(t)
	complete := func(typed string) []string {
		lines := strings.Split(strings.TrimSpace(pifs("__complete", "cat", "--sample", typed).stdout), "\n")
		return lines[:len(lines)-1] // the last one is for the shell's script
	}
	assert.Equal(t, []string{"home-ada-garden/", "home-ada-weather/"}, complete(""))
	assert.Equal(t, []string{"home-ada-weather/"}, complete("home-ada-w"))
	assert.Equal(t, []string{"home-ada-weather/cwd"}, complete("home-ada-weather/c"))
	assert.Equal(t, []string{"home-ada-weather/latest/current/context.json", "home-ada-weather/latest/current/context.md"},
		complete("home-ada-weather/latest/current/c"))
	assert.Empty(t, complete("no-such-directory/"))
}

func TestCompleteMount(t *testing.T) {
	assert.NotContains(t, pifs("__complete", "unmount", "").stdout, "/proc", "only mounts of pifs")
	assert.Contains(t, pifs("__complete", "mount", "").stdout, ":16", "directories")
}
