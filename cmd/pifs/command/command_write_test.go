package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
	"github.com/pifs/pifs/internal/needs"
)

// A session of the sample, and entries of it.
const (
	cacheSession = "019a48c5"
	cacheID      = "019a48c5-e480-77c7-9f9b-3064f38e9a75"
	worksEntry   = "8b1a8f11" // labelled "works"
	currentEntry = "059bfe97"
)

func TestName(t *testing.T) {
	store := sampleStore(t)
	assert.Equal(t, "Cache the forecast\n", ok(t, "name", "--store", store, cacheSession))
	assert.Empty(t, ok(t, "name", "--store", store, cacheSession, " Keep\nit "))
	assert.Equal(t, "Keep it\n", ok(t, "name", "--store", store, cacheSession))
	assert.Contains(t, ok(t, "list", "--store", store), "Keep it")
	ok(t, "name", "--store", store, "--sync=false", cacheSession, "")
	assert.Equal(t, "\n", ok(t, "name", "--store", store, cacheSession))

	r := pifs("name", "--store", store, cacheSession, strings.Repeat("x", 5000))
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Contains(t, r.stderr, "longer than 4096 bytes")
}

// TestTakesNoEntry: a whole session has a name, and a whole session is deleted.
func TestTakesNoEntry(t *testing.T) {
	store := sampleStore(t)
	entry := cacheSession + "@" + worksEntry
	for _, tt := range []struct {
		args  []string
		takes string
	}{
		{[]string{"name", entry}, "name"},
		{[]string{"name", "--sync=false", entry, "x"}, "name"},
		{[]string{"name", cacheSession + "@"}, "name"},
		{[]string{"rm", entry}, "rm"},
		{[]string{"label", "--clear", entry, "works"}, "label --clear"},
		{[]string{"label", "--rename", entry, "works", "good"}, "label --rename"},
	} {
		r := pifs(append(tt.args, "--store", store)...)
		assert.Equal(t, command.ExitUsage, r.code, tt.args)
		assert.Equal(t, "pifs: "+tt.takes+" takes no @ENTRY: it is about all of session "+cacheSession+"\n", r.stderr, tt.args)
	}
	assert.Len(t, list(t, store), 4)
}

// TestEmptyEntry: a variable that is not set names no entry, and not the session.
func TestEmptyEntry(t *testing.T) {
	store := sampleStore(t)
	for _, session := range []string{cacheSession, list(t, store)[0].Path} {
		for _, args := range [][]string{{"label", session + "@"}, {"label", session + "@", "x"}, {"fork", session + "@"}} {
			r := pifs(append(args, "--store", store)...)
			assert.Equal(t, command.ExitUsage, r.code, args)
			assert.Contains(t, r.stderr, "ENTRY is empty in \""+session+"@\"", args)
		}
	}
	assert.Len(t, list(t, store), 4)
}

// TestOneSessionAndItsText: a pattern that matches two sessions is no session and its
// name.
func TestOneSessionAndItsText(t *testing.T) {
	store := sampleStore(t)
	session := filepath.Join(t.TempDir(), "by-title", "Cache the forecast")
	require.NoError(t, os.MkdirAll(filepath.Join(session, "branches"), 0o700))
	file := list(t, store)[0].Path
	require.NoError(t, os.Symlink(file, filepath.Join(session, "session.jsonl")))
	t.Chdir(filepath.Dir(session))
	for _, text := range []string{session, filepath.Base(session), session + "/branches", file} {
		for takes, args := range map[string][]string{
			"name takes one SESSION and a NAME":         {"name", file, text},
			"label takes one SESSION and a LABEL":       {"label", cacheSession, text},
			"--rename takes one SESSION, LABEL and NEW": {"label", "--rename", cacheSession, "works", text},
		} {
			r := pifs(append(args, "--store", store)...)
			assert.Equal(t, command.ExitUsage, r.code, args)
			assert.Contains(t, r.stderr, "pifs: \""+text+"\" leads to a session, too: "+takes, args)
		}
	}
	require.NoError(t, os.WriteFile("notes", nil, 0o600))
	t.Chdir(session) // where branches is
	for _, name := range []string{"and/or", "/no/such/file.jsonl", "notes", t.TempDir(), "branches"} {
		ok(t, "name", "--store", store, file, name)
		assert.Equal(t, name+"\n", ok(t, "name", "--store", store, file))
		ok(t, "label", "--store", store, cacheSession, name)
	}
}

func TestLabelOfEntry(t *testing.T) {
	store := sampleStore(t)
	labelOf := func(entry string, flags ...string) string {
		flags = append([]string{"label", "--store", store}, flags...)
		return ok(t, append(flags, cacheSession+"@"+entry)...)
	}
	assert.Equal(t, worksEntry+"\tworks\n", labelOf(worksEntry))
	assert.JSONEq(t, `[{"label": "works", "entries": ["`+worksEntry+`"]}]`, labelOf(worksEntry, "--json"))
	assert.Empty(t, labelOf(currentEntry))
	assert.Equal(t, "[]\n", labelOf(currentEntry, "--json"))
}

func TestLabel(t *testing.T) {
	store := sampleStore(t)
	labels := func() string { return ok(t, "label", "--store", store, cacheSession) }
	assert.Equal(t, "f5bb9216\tdead end\nff018489\ttwo ways\n8b1a8f11\tworks\n", labels())

	ok(t, "label", "--store", store, cacheSession, "here")
	assert.Contains(t, labels(), currentEntry+"\there\n")
	ok(t, "label", "--store", store, cacheSession+"@"+worksEntry, "good")
	assert.Contains(t, labels(), worksEntry+"\tgood\n")
	assert.NotContains(t, labels(), "works", "an entry has one label")
	ok(t, "label", "--store", store, "--rename", cacheSession, "good", "better")
	assert.Contains(t, labels(), worksEntry+"\tbetter\n")
	for _, label := range []string{"better", "here", "dead end", "two ways"} {
		ok(t, "label", "--store", store, "--clear", cacheSession, label)
	}
	assert.Empty(t, labels())
	assert.Equal(t, "[]\n", ok(t, "label", "--store", store, "--json", cacheSession))
}

func TestLabelJSON(t *testing.T) {
	var rows []struct {
		Label   string
		Entries []string
	}
	require.NoError(t, json.Unmarshal([]byte(ok(t, "label", "--store", sampleStore(t), "--json", cacheSession)), &rows))
	require.Len(t, rows, 3)
	assert.Equal(t, "works", rows[2].Label)
	assert.Equal(t, []string{worksEntry}, rows[2].Entries)
}

func TestLabelRefuses(t *testing.T) {
	store := sampleStore(t)
	for _, args := range [][]string{
		{}, {"a", "b", "c"}, {"--clear", "a"}, {"--rename", "a", "b"}, {"--clear", "--rename", "a", "b", "c"}, {"a", ""}, {"--rename", "a", "b", ""},
		{"a", " "}, {"--rename", "a", "b", "\t\n"},
	} {
		assert.Equal(t, command.ExitUsage, pifs(append([]string{"label", "--store", store}, args...)...).code, args)
	}
	r := pifs("label", "--store", store, cacheSession+"@no-such-entry", "x")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Equal(t, "pifs: no entry no-such-entry in session "+cacheID+"\n", r.stderr)
	assert.Equal(t, r, pifs("label", "--store", store, cacheSession+"@no-such-entry"), "whether it is to be changed or printed")
	assert.Equal(t, r, pifs("fork", "--store", store, cacheSession+"@no-such-entry"))
	for _, args := range [][]string{{"--rename", cacheSession, "nosuch", "x"}, {"--clear", cacheSession, "nosuch"}} {
		r = pifs(append([]string{"label", "--store", store}, args...)...)
		assert.Equal(t, command.ExitFailed, r.code, args)
		assert.Equal(t, "pifs: no entry has the label \"nosuch\"\n", r.stderr, args)
	}
}

func TestFork(t *testing.T) {
	store := sampleStore(t)
	whole := strings.TrimSpace(ok(t, "fork", "--store", store, cacheSession))
	assert.FileExists(t, whole)
	assert.Equal(t, filepath.Join(store, "--home-ada-weather--"), filepath.Dir(whole))
	assert.Equal(t, "Cache the forecast\n", ok(t, "name", "--store", store, whole))

	part := strings.TrimSpace(ok(t, "fork", "--store", store, cacheSession+"@"+worksEntry))
	rows := list(t, store)
	require.Len(t, rows, 6)
	for _, row := range rows {
		switch row.Path {
		case whole:
			assert.Equal(t, 26, row.MessageCount)
		case part:
			assert.Equal(t, 14, row.MessageCount)
		default:
			continue
		}
		assert.Contains(t, row.ParentSessionPath, cacheSession)
	}
}

// TestForkElsewhere: a fork for another directory stays in the store that was named.
func TestForkElsewhere(t *testing.T) {
	home, cwd := noStore(t), t.TempDir()
	project := "--" + strings.ReplaceAll(cwd[1:], "/", "-") + "--"
	forkFor := func(args ...string) string {
		t.Helper()
		fork := strings.TrimSpace(ok(t, append([]string{"fork", "--cwd", cwd}, args...)...))
		rows := list(t, filepath.Dir(fork))
		assert.Contains(t, cwds(rows), cwd)
		return filepath.Dir(fork)
	}
	nested, flat := sampleStore(t), flatStore(t)
	assert.Equal(t, filepath.Join(nested, project), forkFor("--store", nested, cacheSession+"-e480"))
	assert.Equal(t, flat, forkFor("--store", flat, cacheSession+"-e480"))
	assert.Equal(t, flat, forkFor("--store", flat, list(t, nested)[0].Path), "a file of another store")
	assert.Equal(t, filepath.Join(home, ".pi", "agent", "sessions", project), forkFor(list(t, nested)[0].Path), "of no store that was named")

	t.Chdir(cwd)
	t.Setenv("PI_CODING_AGENT_SESSION_DIR", nested)
	assert.Equal(t, filepath.Join(nested, project), forkFor("019a4e1c", "--cwd", "."))
	t.Setenv("PI_CODING_AGENT_SESSION_DIR", flat)
	assert.Equal(t, flat, forkFor("019a4e1c", "--cwd", "."))
	assert.NotContains(t, cwds(list(t, flat)), "")
}

// TestForkForItsOwnDirectory: there is nothing to move.
func TestForkForItsOwnDirectory(t *testing.T) {
	noStore(t)
	store, cwd := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(store, "odd"), 0o700))
	file := filepath.Join(store, "odd", "s.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(
		`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"`+cwd+`"}`+"\n"+
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"x"}}`+"\n"), 0o600))
	assert.Equal(t, filepath.Dir(file), filepath.Dir(ok(t, "fork", "--store", store, "--cwd", cwd, "s")))
}

// TestReadOnlySessions: what pifs does not know it does not write to.
func TestReadOnlySessions(t *testing.T) {
	store := t.TempDir()
	file := filepath.Join(store, "s.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"session","version":9,"id":"s","cwd":"/x"}`+"\n"), 0o600))
	for _, args := range [][]string{{"name", "s", "x"}, {"label", "s", "x"}, {"fork", "s"}} {
		r := pifs(append(args, "--store", store)...)
		assert.Equal(t, command.ExitFailed, r.code, args)
		assert.Equal(t, "pifs: "+file+" can only be read: version 9 of the format is newer than pifs knows (3)\n", r.stderr, args)
	}
}

func TestForkRefuses(t *testing.T) {
	store := sampleStore(t)
	for cwd, message := range map[string]string{
		"/no/such/directory":   "no such file or directory",
		list(t, store)[0].Path: "is no directory",
	} {
		r := pifs("fork", "--store", store, "--cwd", cwd, cacheSession)
		assert.Equal(t, command.ExitFailed, r.code)
		assert.Contains(t, r.stderr, message)
		assert.Contains(t, r.stderr, "--cwd")
	}
	assert.Len(t, list(t, store), 4)
}

func cwds(rows []listed) (dirs []string) {
	for _, row := range rows {
		dirs = append(dirs, row.Cwd)
	}
	return dirs
}

func TestRm(t *testing.T) {
	store := sampleStore(t)
	t.Setenv("PATH", t.TempDir()) // without a trash
	rows := list(t, store)
	output := ok(t, "rm", "--store", store, rows[0].ID, rows[1].Path)
	assert.Equal(t, "deleted "+rows[0].Path+"\ndeleted "+rows[1].Path+"\n", output)
	assert.Len(t, list(t, store), 2)

	trash := filepath.Join(t.TempDir(), "trash")
	require.NoError(t, os.WriteFile(trash, []byte("#!/bin/sh\n/bin/rm \"$1\"\n"), 0o755))
	t.Setenv("PATH", filepath.Dir(trash))
	assert.Equal(t, "moved to the trash: "+rows[2].Path+"\n", ok(t, "rm", "--store", store, rows[2].ID))

	r := pifs("rm", "--store", store, "019a")
	assert.Equal(t, command.ExitOK, r.code, "only one is left")
	r = pifs("rm", "--store", store, "019a")
	assert.Equal(t, command.ExitFailed, r.code)
	assert.Contains(t, r.stderr, "no session is called")
}

// TestRmRefused: what failed is told, and no more.
func TestRmRefused(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	noStore(t)
	store := sampleStore(t)
	path := list(t, store)[0].Path
	require.NoError(t, os.Chmod(filepath.Dir(path), 0o500))
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
	programs := t.TempDir()
	t.Setenv("PATH", programs)
	assert.Equal(t, "pifs: remove "+path+": permission denied\n", pifs("rm", path).stderr)

	trash := func(script string) {
		require.NoError(t, os.WriteFile(filepath.Join(programs, "trash"), []byte("#!/bin/sh\n"+script), 0o755))
	}
	trash("exit 3")
	assert.Equal(t, "pifs: remove "+path+": permission denied (trash: exit status 3)\n", pifs("rm", path).stderr)
	trash("echo no home >&2; exit 3")
	assert.Equal(t, "pifs: remove "+path+": permission denied (trash: exit status 3: no home)\n", pifs("rm", path).stderr)
}
