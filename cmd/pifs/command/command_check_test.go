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

func TestCheckFindsNothingInTheSample(t *testing.T) {
	noStore(t)
	assert.Equal(t, "4 sessions, nothing odd\n", ok(t, "check", "--sample"))
	assert.Equal(t, "[]\n", ok(t, "check", "--sample", "--json"))
}

func TestCheckFindsWhatIsOdd(t *testing.T) {
	edge := filepath.Join(needs.Module(t), "testdata", "edge")
	r := pifs("check", "--store", edge)
	assert.Equal(t, command.ExitProblems, r.code)
	assert.Contains(t, r.stderr, "problems in")

	asJSON := pifs("check", "--store", edge, "--json")
	assert.Equal(t, command.ExitProblems, asJSON.code)
	var problems []struct {
		Path, Code, Message string
		Line                int
	}
	require.NoError(t, json.Unmarshal([]byte(asJSON.stdout), &problems))
	codes := map[string][]string{}
	for _, p := range problems {
		name := filepath.Base(p.Path)
		codes[name] = append(codes[name], p.Code)
		assert.NotEmpty(t, p.Message, name)
	}
	for _, name := range []string{"corrupt-header.jsonl", "missing-header.jsonl", "harness-codec-lookalike.jsonl", "v1-no-id-no-cwd.jsonl", "empty.jsonl"} {
		assert.Equal(t, []string{"no-session"}, codes[name], name)
	}
	for _, name := range []string{"bom.jsonl", "torn-tail.jsonl", "orphan-parents.jsonl", "self-parent-and-cycle.jsonl", "duplicate-id-different-content.jsonl"} {
		assert.NotEmpty(t, codes[name], name)
	}
}

func TestCheckNamesWhatItCannotRead(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	store := sampleStore(t)
	path := list(t, store)[0].Path
	require.NoError(t, os.Chmod(path, 0))
	r := pifs("check", "--store", store)
	assert.Equal(t, command.ExitProblems, r.code)
	assert.Equal(t, path+": unreadable: cannot be read: permission denied\n", r.stdout)
	assert.Equal(t, "pifs: 1 problem in 3 sessions and 1 other file\n", r.stderr)
}

// TestUnreadableIsTold: what is not shown must not look as if it were not there.
func TestUnreadableIsTold(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	store := sampleStore(t)
	require.NoError(t, os.Chmod(list(t, store)[0].Path, 0))
	weather := filepath.Join(store, "--home-ada-weather--")
	require.NoError(t, os.Chmod(weather, 0))
	t.Cleanup(func() { os.Chmod(weather, 0o700) })
	for _, args := range [][]string{{"ls"}, {"list"}, {"export", filepath.Join(t.TempDir(), "export")}} {
		r := pifs(append(args, "--store", store)...)
		assert.Equal(t, command.ExitOK, r.code, args)
		assert.Equal(t, "pifs: 2 files or directories can't be read: pifs check\n", r.stderr, args)
	}
	r := pifs("list", "--store", weather)
	assert.Equal(t, command.ExitStore, r.code)
	assert.Contains(t, r.stderr, "no session store: "+weather+" cannot be read: permission denied")
}

// TestCheckFindsSameIDs: pi opens by id whichever it finds first.
func TestCheckFindsSameIDs(t *testing.T) {
	noStore(t)
	store := sampleStore(t)
	original := list(t, store)[0]
	text, err := os.ReadFile(original.Path)
	require.NoError(t, err)
	paths := []string{original.Path, filepath.Join(store, "z", filepath.Base(original.Path)), filepath.Join(store, "z", "z.jsonl")}
	require.NoError(t, os.Mkdir(filepath.Join(store, "z"), 0o700))
	require.NoError(t, os.WriteFile(paths[1], text, 0o600))
	r := pifs("check", "--store", store)
	assert.Equal(t, command.ExitProblems, r.code)
	assert.Equal(t, paths[0]+": same-id: the session id "+original.ID+" is that of "+paths[1]+" too\n"+
		paths[1]+": same-id: the session id "+original.ID+" is that of "+paths[0]+" too\n", r.stdout)
	require.NoError(t, os.WriteFile(paths[2], text, 0o600))
	r = pifs("check", "--store", store)
	assert.Contains(t, r.stdout, paths[1]+": same-id: the session id "+original.ID+" is that of "+paths[0]+" and 1 more file too\n")
	assert.Equal(t, 3, strings.Count(r.stdout, "same-id"))

	firsts := map[string]bool{}
	for line := range strings.Lines(ok(t, "list", "--store", store)) {
		first, _, _ := strings.Cut(line, " ")
		firsts[first] = true
	}
	assert.Len(t, firsts, 1+6, "the first column tells them apart")
	for path := range map[string]bool{paths[0]: true, paths[1]: true} {
		assert.True(t, firsts[path], path)
	}
}
