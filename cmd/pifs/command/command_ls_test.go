package command_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
)

func TestLs(t *testing.T) {
	noStore(t)
	assert.Equal(t, "home-ada-garden\nhome-ada-weather\n", ok(t, "ls", "--sample"))
	for _, path := range []string{"home-ada-weather/by-title", "/home-ada-weather/by-title/", "./home-ada-weather/./by-title"} {
		assert.Equal(t, "Believe Retry-After\nCache the forecast\n", ok(t, "ls", "--sample", path), path)
	}
	assert.Equal(t, "home-ada-weather/cwd\n", ok(t, "ls", "--sample", "home-ada-weather/cwd"), "a file is itself")
	assert.Contains(t, ok(t, "ls", "-a", "--sample"), ".pifs\n")
}

func TestLsPattern(t *testing.T) {
	noStore(t)
	list := ok(t, "ls", "--sample", "*/by-title")
	assert.Contains(t, list, "home-ada-garden/by-title:\n")
	assert.Contains(t, list, "\n\nhome-ada-weather/by-title:\nBelieve Retry-After\nCache the forecast\n")

	r := pifs("ls", "--sample", "*/nothing")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Equal(t, "pifs: nothing matches */nothing\n", r.stderr)
	assert.Contains(t, pifs("ls", "--sample", "[").stderr, "pifs: [ is no pattern")
}

// TestLsFilesFirst: together, and then each directory.
func TestLsFilesFirst(t *testing.T) {
	noStore(t)
	assert.Regexp(t, `(?s)^home-ada-weather/cwd\nhome-ada-garden/cwd\n\nhome-ada-garden/by-title:\n.*\n\nhome-ada-weather/by-title:\n`,
		ok(t, "ls", "--sample", "home-ada-garden/by-title", "home-ada-weather/cwd", "home-ada-weather/by-title", "home-ada-garden/cwd"))
	assert.Regexp(t, `(?m)\A *-\S+ +\d+ +\S+ +home-ada-weather/cwd$\s\z`, ok(t, "ls", "-l", "--sample", "home-ada-weather/c*"))
}

func TestLsLong(t *testing.T) {
	noStore(t)
	list := ok(t, "ls", "-l", "--sample", "home-ada-weather")
	assert.Regexp(t, `(?m)^ *-r--r--r-- +18  2025-\S+ +cwd$`, strings.ReplaceAll(list, "-r--------", "-r--r--r--"))
	assert.Regexp(t, `(?m)^ *lrwxrwxrwx .* latest -> 2025-11-04\S+$`, list)
	assert.Regexp(t, `(?m)^ *d\S+ .* by-title$`, list)
}

// TestLsLongShowsLocalTime: as list does. JSON has UTC.
func TestLsLongShowsLocalTime(t *testing.T) {
	noStore(t)
	local := time.Local
	time.Local = time.FixedZone("east", 14*3600)
	t.Cleanup(func() { time.Local = local })
	const session = "home-ada-weather/2025-11-03T08-12-00-906Z_*/transcript.md" // 2025-11-03T15:41:20Z
	assert.Regexp(t, ` 2025-11-04T05:41:20 `, ok(t, "ls", "-l", "--sample", session))
	assert.Contains(t, ok(t, "ls", "--json", "--sample", session), `"mtime": "2025-11-03T15:41:20.`)
	assert.Contains(t, ok(t, "list", "--sample"), " 2025-11-04 05:41 ")
}

func TestLsJSON(t *testing.T) {
	noStore(t)
	var rows []struct {
		Path, Name, Type, Mode, Mtime, Target string
		Size                                  int64
	}
	require.NoError(t, json.Unmarshal([]byte(ok(t, "ls", "--json", "--sample", "home-ada-weather")), &rows))
	types := map[string]string{}
	for _, row := range rows {
		types[row.Name] = row.Type
		assert.Equal(t, "home-ada-weather/"+row.Name, row.Path)
		assert.Equal(t, row.Type == "link", row.Target != "", row.Name)
	}
	assert.Equal(t, "file", types["cwd"])
	assert.Equal(t, "link", types["latest"])
	assert.Equal(t, "directory", types["by-title"])

	assert.Equal(t, "[]\n", ok(t, "ls", "--json", "--store", t.TempDir()))
}

func TestLsMissing(t *testing.T) {
	noStore(t)
	r := pifs("ls", "--sample", "no/such/path")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Equal(t, "pifs: no/such/path: no such file or directory\n", r.stderr)

	assert.Equal(t, "pifs: /etc: no such file or directory\n", pifs("ls", "--sample", "/etc").stderr)
	assert.Equal(t, "pifs: nothing matches /etc/*\n", pifs("ls", "--sample", "/etc/*").stderr)

	r = pifs("ls", "--sample", "no/such/path", "home-ada-weather/cwd")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Equal(t, "home-ada-weather/cwd\n", r.stdout)
}
