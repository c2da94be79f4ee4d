package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompletePath(t *testing.T) {
	noStore(t)
	directive := ""
	complete := func(typed string) []string {
		lines := strings.Split(strings.TrimSpace(pifs("__complete", "cat", "--sample", typed).stdout), "\n")
		directive = lines[len(lines)-1] // for the shell's script
		return lines[:len(lines)-1]
	}
	assert.Equal(t, []string{"home-ada-garden/", "home-ada-weather/"}, complete(""))
	assert.Equal(t, []string{"home-ada-weather/"}, complete("home-ada-w"))
	assert.Equal(t, []string{"home-ada-weather/cwd"}, complete("home-ada-weather/c"))
	assert.Equal(t, []string{"home-ada-weather/latest/current/context.json", "home-ada-weather/latest/current/context.md"},
		complete("home-ada-weather/latest/current/c"))
	assert.Empty(t, complete("no-such-directory/"))

	const session = "home-ada-weather/latest/"
	assert.Equal(t, []string{session + "session.jsonl"}, complete(session+"s"))
	assert.Equal(t, ":4", directive, "a space may follow")
	assert.Equal(t, []string{session + "current/path/0001-model_change-02cff0b9.md"}, complete(session+"current/path/0001"))
	assert.Equal(t, []string{session + "current/", session + "children/"}, append(complete(session+"cu"), complete(session+"ch")...))
	assert.Equal(t, ":6", directive, "the path goes on")
	assert.Equal(t, []string{"home-ada-weather/by-title/Cache the forecast/"}, complete("home-ada-weather/by-title/C"))
}

func TestCompleteSession(t *testing.T) {
	noStore(t)
	store := sampleStore(t)
	complete := func(args ...string) []string {
		return strings.Split(strings.TrimSpace(pifs(append([]string{"__complete"}, args...)...).stdout), "\n")
	}
	for _, name := range []string{"name", "label", "fork", "rm"} {
		all := complete(name, "--store", store, "")
		assert.Len(t, all, 4+1, name)
		assert.Equal(t, []string{"019a4e1c-c660-77c7-9f9b-3067cf846c12\tBelieve Retry-After", ":36"}, complete(name, "--store", store, "019a4e"))
		assert.Equal(t, "2025-11-03T08-12-00-906Z_019a48c5-e480-77c7-9f9b-3064f38e9a75\tCache the forecast", complete(name, "--store", store, "2025-11-03")[0])
		assert.Equal(t, []string{":0"}, complete(name, "--store", store, "./"), "paths")
		assert.Equal(t, []string{":0"}, complete(name, "--store", "/no/such/store", ""))
	}
	assert.Equal(t, []string{":4"}, complete("name", "--store", store, "019a48c5", ""), "a name is free")
	assert.Len(t, complete("rm", "--store", store, "019a48c5", ""), 4+1)
}

func TestCompleteMount(t *testing.T) {
	assert.NotContains(t, pifs("__complete", "unmount", "").stdout, "/proc", "only mounts of pifs")
	assert.Contains(t, pifs("__complete", "mount", "").stdout, ":16", "directories")
}

// TestCompletePathOfFiles: who types a path of the file system may mean one in a mount.
func TestCompletePathOfFiles(t *testing.T) {
	noStore(t)
	for typed, last := range map[string]string{"~/pi-sessions/": ":0", "/no/such/directory/": ":0", "./no": ":0", "home-ada-w": ":6", "/home-ada-w": ":6", "no-such": ":4"} {
		lines := strings.Split(strings.TrimSpace(pifs("__complete", "ls", "--sample", typed).stdout), "\n")
		assert.Equal(t, last, lines[len(lines)-1], typed)
	}
}

func TestCompleteLabel(t *testing.T) {
	noStore(t)
	store := sampleStore(t)
	complete := func(args ...string) string {
		return pifs(append([]string{"__complete", "label", "--store", store}, args...)...).stdout
	}
	assert.Equal(t, "dead end\ntwo ways\nworks\n:4\n", complete(cacheSession, ""))
	assert.Equal(t, "two ways\n:4\n", complete(cacheSession+"@"+worksEntry, "t"))
	assert.Equal(t, "works\n:4\n", complete("--clear", cacheSession, "w"))
	assert.Equal(t, ":4\n", complete("--rename", cacheSession, "works", ""))
	assert.Equal(t, ":4\n", complete("no-such-session", ""))
}

func TestCompleteFlags(t *testing.T) {
	for _, name := range []string{"mount", "fork"} {
		flags := pifs("__complete", name, "--store", "/one", "--").stdout
		assert.Contains(t, flags, "--store\tsession store DIR (repeatable;", name)
		assert.NotContains(t, flags, "`", name)
	}
	assert.Contains(t, ok(t, "fork", "--help"), "--store DIR ")
	assert.Contains(t, ok(t, "fork", "--help"), "--cwd DIR ")
	assert.Contains(t, ok(t, "mount", "--help"), "--cache-size SIZE ")
	assert.Equal(t, ":4\n", pifs("__complete", "mount", "--cache-size", "").stdout, "no files")
	assert.Equal(t, ":16\n", pifs("__complete", "mount", "--store", "").stdout, "directories")
	assert.Equal(t, ":16\n", pifs("__complete", "fork", "--cwd", "").stdout, "directories")
}
