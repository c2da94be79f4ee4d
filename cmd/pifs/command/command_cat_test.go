package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/cmd/pifs/command"
)

func TestCat(t *testing.T) {
	noStore(t)
	assert.Equal(t, "/home/ada/weather\n", strings.TrimSuffix(ok(t, "cat", "--sample", "home-ada-weather/cwd"), "\n")+"\n")
	context := ok(t, "cat", "--sample", "home-ada-weather/latest/current/context.md")
	assert.Contains(t, context, "Too Many Requests", "links are followed")
	names := ok(t, "cat", "--sample", "*/2025*/name")
	assert.ElementsMatch(t, []string{"Watering schedule", "Cache the forecast", "Believe Retry-After"}, strings.Split(strings.TrimSpace(names), "\n"))
}

func TestCatGoesOnAfterAnError(t *testing.T) {
	noStore(t)
	r := pifs("cat", "--sample", "no-such-file", "home-ada-weather", "home-ada-weather/cwd")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Contains(t, r.stdout, "/home/ada/weather")
	assert.Contains(t, r.stderr, "pifs: no-such-file: no such file or directory\n")
	assert.Contains(t, r.stderr, "home-ada-weather is a directory")
}
