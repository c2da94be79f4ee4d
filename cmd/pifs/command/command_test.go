package command_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
	"github.com/pifs/pifs/cmd/pifs/sample"
)

// A result is what a run of the command gave.
type result struct {
	code           int
	stdout, stderr string
}

// pifs runs the command in this process.
func pifs(args ...string) result {
	var stdout, stderr bytes.Buffer
	code := command.Run(args, strings.NewReader(""), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// ok runs the command, and returns its output if it succeeded.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	r := pifs(args...)
	require.Equal(t, command.ExitOK, r.code, "pifs %s: %s", strings.Join(args, " "), r.stderr)
	assert.Empty(t, r.stderr)
	return r.stdout
}

// noStore makes a home without sessions, so that no test sees the developer's.
func noStore(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PI_CODING_AGENT_DIR", "")
	t.Setenv("PI_CODING_AGENT_SESSION_DIR", "")
	return home
}

// sampleStore returns a store of files that the test may change.
func sampleStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, sample.Write(dir))
	return dir
}

// flatStore is sampleStore without directories below it.
func flatStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(sampleStore(t), "*", "*.jsonl"))
	require.NoError(t, err)
	for _, file := range files {
		require.NoError(t, os.Rename(file, filepath.Join(dir, filepath.Base(file))))
	}
	return dir
}

func TestUsage(t *testing.T) {
	noStore(t)
	for _, args := range [][]string{
		{"no-such-command"},
		{"ls", "--no-such-flag"},
		{"cat"},
		{"export"},
		{"list", "argument"},
		{"mount", "one", "two"},
		{"mount", "--cache-size", "much"},
		{"version", "argument"},
		{"completion", "no-such-shell"},
		{"completion", "bash", "argument"},
		{"ls", "--sample", "--store", "/store"},
		{"mount", "--store", "/store", "--sample"},
	} {
		r := pifs(args...)
		assert.Equal(t, command.ExitUsage, r.code, args)
		assert.Contains(t, r.stderr, "--help'", args)
		assert.Empty(t, r.stdout, args)
	}
}

// TestEmptyArguments: a variable that is not set names nothing, and not the current
// directory.
func TestEmptyArguments(t *testing.T) {
	noStore(t)
	t.Chdir(sampleStore(t))
	for _, args := range [][]string{
		{"list", "--store", ""},
		{"list", "--store", "/store", "--store="},
		{"mount", ""},
		{"unmount", ""},
		{"ls", ""},
		{"ls", "--sample", "home-ada-weather", ""},
		{"cat", ""},
		{"export", ""},
		{"man", ""},
		{"name", ""},
		{"name", "", ""},
		{"label", ""},
		{"label", "", "works"},
		{"fork", ""},
		{"fork", "--cwd", "", "019a48c5"},
		{"rm", ""},
		{"rm", "019a48c5", ""},
	} {
		r := pifs(args...)
		assert.Equal(t, command.ExitUsage, r.code, args)
		assert.Contains(t, r.stderr, "empty", args)
		assert.Empty(t, r.stdout, args)
	}
	files, err := filepath.Glob("*/*.jsonl")
	require.NoError(t, err)
	assert.Len(t, files, 4)
}

// TestUsageSaysWhatACommandTakes: in the same words everywhere.
func TestUsageSaysWhatACommandTakes(t *testing.T) {
	for message, args := range map[string][]string{
		"list takes no arguments":                                {"list", "extra"},
		"check takes no arguments":                               {"check", "extra"},
		"cat takes one PATH or several":                          {"cat"},
		"export takes DIR":                                       {"export"},
		"man takes DIR, or nothing":                              {"man", "a", "b"},
		"mount takes MOUNTPOINT, or nothing":                     {"mount", "a", "b"},
		"name takes SESSION and a NAME, or SESSION alone":        {"name", "a", "b", "c"},
		"label takes SESSION[@ENTRY] and a LABEL, or SESSION al": {"label"},
		"fork takes SESSION[@ENTRY]":                             {"fork", "a", "b"},
		"rm takes one SESSION or several":                        {"rm"},
	} {
		r := pifs(args...)
		assert.Equal(t, command.ExitUsage, r.code, args)
		assert.True(t, strings.HasPrefix(r.stderr, "pifs: "+message), r.stderr)
	}
}

// TestNearFlags: an unknown flag may be one that is there, written otherwise.
func TestNearFlags(t *testing.T) {
	for typed, meant := range map[string]string{
		"readonly": "read-only", "read-onyl": "read-only", "allow-others": "allow-other", "cachesize=1M": "cache-size",
		"stor": "store", "samble": "sample", "cache": "", "x": "", "no-such-flag": "",
	} {
		r := pifs("mount", "--"+typed)
		assert.Equal(t, command.ExitUsage, r.code, typed)
		typed, _, _ = strings.Cut(typed, "=")
		message := "pifs: unknown flag: --" + typed
		if meant != "" {
			message += ": did you mean --" + meant + "?"
		}
		assert.Equal(t, message+"\nSee 'pifs mount --help'.\n", r.stderr)
	}
	assert.NotContains(t, pifs("ls", "-x").stderr, "did you mean")
}

func TestNoStore(t *testing.T) {
	home := noStore(t)
	for _, args := range [][]string{{"list"}, {"check"}, {"export", filepath.Join(home, "export")}, {"name", "019a48c5"}} {
		r := pifs(args...)
		assert.Equal(t, command.ExitStore, r.code, args)
		assert.Contains(t, r.stderr, "no session store: "+filepath.Join(home, ".pi", "agent", "sessions")+" does not exist", args)
		assert.Equal(t, 1, strings.Count(r.stderr, "--store"), args)
		if shows := args[0]; shows != "name" {
			assert.Contains(t, r.stderr, "; 'pifs "+shows+" --sample' takes a small one", args)
		} else {
			assert.Contains(t, r.stderr, "; 'pifs ls --sample' takes a small one", args)
		}
	}
	file := filepath.Join(home, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	r := pifs("ls", "--store", file)
	assert.Equal(t, command.ExitStore, r.code)
	assert.Contains(t, r.stderr, "is no directory")
}

// TestSampleInsteadOfNoStore: who only looks is shown something, and told what.
func TestSampleInsteadOfNoStore(t *testing.T) {
	noStore(t)
	for _, args := range [][]string{{"ls"}, {"cat", "home-ada-weather/cwd"}} {
		r := pifs(args...)
		assert.Equal(t, command.ExitOK, r.code, args)
		assert.Contains(t, r.stdout, "ada", args)
		assert.Contains(t, r.stderr, "There is no pi session store at ", args)
		assert.Contains(t, r.stderr, "showing a sample", args)
		assert.Equal(t, command.ExitStore, pifs(append(args, "--store", "/no/such/store")...).code, args)
	}
}

// TestNamedStoreIsMissing: what is named is not what pi happens to have made, and the
// sample is not it.
func TestNamedStoreIsMissing(t *testing.T) {
	home := noStore(t)
	missing := filepath.Join(home, "missing")
	settings := filepath.Join(home, ".pi", "agent", "settings.json")
	refused := func(namedBy string) {
		t.Helper()
		for _, args := range [][]string{{"ls"}, {"cat", "home-ada-weather/cwd"}, {"list"}, {"mount", "-f", filepath.Join(home, "mnt")}} {
			r := pifs(args...)
			assert.Equal(t, command.ExitStore, r.code, args)
			assert.Contains(t, r.stderr, " does not exist ("+namedBy+" names it). ", args)
			assert.NotContains(t, r.stderr, "showing a sample", args)
		}
		assert.Equal(t, command.ExitFailed, pifs("doctor").code)
	}
	t.Setenv("PI_CODING_AGENT_SESSION_DIR", missing)
	refused("$PI_CODING_AGENT_SESSION_DIR")
	t.Setenv("PI_CODING_AGENT_SESSION_DIR", "")
	t.Setenv("PI_CODING_AGENT_DIR", missing)
	refused("$PI_CODING_AGENT_DIR")
	t.Setenv("PI_CODING_AGENT_DIR", "")
	require.NoError(t, os.MkdirAll(filepath.Dir(settings), 0o700))
	require.NoError(t, os.WriteFile(settings, []byte(`{"sessionDir":"~/missing"}`), 0o600))
	refused(settings)
	assert.NoDirExists(t, filepath.Join(home, "mnt"))
}

// TestSettingsThatAreNoJSON: they may name a store.
func TestSettingsThatAreNoJSON(t *testing.T) {
	home := noStore(t)
	settings := filepath.Join(home, ".pi", "agent", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Join(filepath.Dir(settings), "sessions"), 0o700))
	require.NoError(t, os.WriteFile(settings, []byte(`{"sessionDir":"~/sessions",}`), 0o600))
	note := settings + " is no JSON and is ignored"
	for _, args := range [][]string{{"ls"}, {"list"}, {"check"}} {
		r := pifs(args...)
		assert.Equal(t, command.ExitOK, r.code, args)
		assert.Equal(t, 1, strings.Count(r.stderr, note), args)
	}
	r := pifs("doctor")
	assert.Contains(t, r.stdout, "note     settings     "+note)
	assert.Empty(t, r.stderr)
	assert.Empty(t, pifs("list", "--store", t.TempDir()).stderr)
}

func TestDefaultStore(t *testing.T) {
	home := noStore(t)
	sessions := filepath.Join(home, ".pi", "agent", "sessions")
	require.NoError(t, os.MkdirAll(sessions, 0o700))
	assert.Empty(t, ok(t, "ls"))
	require.NoError(t, sample.Write(sessions))
	assert.Equal(t, "home-ada-garden\nhome-ada-weather\n", ok(t, "ls"))
}

// TestHelp sees that each command has its help, and that every option is described.
func TestHelp(t *testing.T) {
	for _, cmd := range command.NewRoot().Commands() {
		help := ok(t, cmd.Name(), "--help")
		assert.Contains(t, help, "Usage:\n  pifs "+cmd.Name())
		assert.NotEmpty(t, cmd.GroupID, cmd.Name())
	}
	help := ok(t)
	for _, code := range []string{"0  done", "1  failed", "2  usage", "3  the session store", "4  the mountpoint", "5  the system", "6  check", "7  unmount"} {
		assert.Contains(t, help, code)
	}
}
