package fs

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oldSession is a store with a session of version 1 or 2, and its file.
func oldSession(t testing.TB, name string) (dir, file string) {
	dir = t.TempDir()
	text, err := os.ReadFile(filepath.Join(edgeStore, name+".jsonl"))
	require.NoError(t, err)
	file = filepath.Join(dir, "old.jsonl")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return dir, file
}

var oldSessions = []string{"v1-linear", "v2-hookMessage"}

// TestMigratedByTouch labels sessions of old versions, which migrates them, in all ways.
func TestMigratedByTouch(t *testing.T) {
	for _, name := range oldSessions {
		for _, line := range []string{`touch labels/L`, `: > labels/L`, `ln -s "$(ls -d entries/*.json | head -n 1)" labels/L`,
			`{ echo a; echo b; } > name`, `exec 3> name; echo one >&3; true 3>&3; echo two >&3; exec 3>&-; [ "$(cat name)" = "one two" ]`} {
			dir, _ := oldSession(t, name)
			root := mount(t, Options{}, dir)
			at, err := filepath.Glob(filepath.Join(root, "*/old"))
			require.NoError(t, err)
			require.Len(t, at, 1)
			out, err := shell(t, at[0], "bash", line)
			assert.NoError(t, err, "%s: %s: %s", name, line, out)
			assert.Empty(t, out, line)
			if strings.Contains(line, "labels/L") {
				list, err := os.ReadDir(filepath.Join(at[0], nameLabels))
				require.NoError(t, err)
				assert.Len(t, list, 1, line)
			}
		}
	}
}

// followFile has tail follow a file. The function that it returns waits until tail has
// shown a line that has the text in it.
func followFile(t *testing.T, path, how string) (follow func(want string)) {
	follower := exec.Command("tail", "-c", "+1", how, "-s", "0.05", path)
	pipe, err := follower.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, follower.Start())
	t.Cleanup(func() { _ = follower.Process.Kill(); _ = follower.Wait() })
	lines := make(chan string, 1000)
	go func() {
		for s := bufio.NewScanner(pipe); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	return func(want string) {
		t.Helper()
		late := time.After(10 * time.Second)
		for {
			select {
			case line, ok := <-lines:
				require.True(t, ok, "tail has ended")
				if strings.Contains(line, want) {
					return
				}
			case <-late:
				require.Fail(t, "tail does not show "+want)
			}
		}
	}
}

// TestFollowedReplaced has a session's file replaced by another session's while somebody
// follows its transcript.
func TestFollowedReplaced(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "the first"))
	atRest(t, dir)
	for _, readOnly := range []bool{false, true} {
		root := mount(t, Options{ReadOnly: readOnly}, dir)
		follow := followFile(t, filepath.Join(root, "p/s", nameTranscript), "-F")
		follow("the first")
		writeSession(t, file+".new", "2", "/p", "", userLine("b", "", "the second"))
		require.NoError(t, os.Rename(file+".new", file))
		follow("the second")
		writeSession(t, file+".new", "1", "/p", "", userLine("a", "", "the first"))
		require.NoError(t, os.Rename(file+".new", file))
		follow("the first")
	}
}

// TestMigratedUnderReaders migrates a session by a change while somebody follows its
// transcript, has other files of it open and stands in its directories: all of them go
// on, and see what comes.
func TestMigratedUnderReaders(t *testing.T) {
	for _, name := range oldSessions {
		dir, file := oldSession(t, name)
		atRest(t, dir)
		root := mount(t, Options{}, dir)
		found, err := filepath.Glob(filepath.Join(root, "*/old"))
		require.NoError(t, err)
		require.Len(t, found, 1)
		at := found[0]
		transcript, err := os.ReadFile(filepath.Join(at, nameTranscript))
		require.NoError(t, err)
		context, err := os.Open(filepath.Join(at, "current", "context.md"))
		require.NoError(t, err)
		defer context.Close()
		contextInfo, err := context.Stat()
		require.NoError(t, err)

		follow := followFile(t, filepath.Join(at, nameTranscript), "-f")
		last := strings.TrimSpace(string(transcript[strings.LastIndex(string(transcript), "\n## "):]))
		follow(strings.SplitN(last, "\n", 2)[0])

		inside := exec.Command("bash", "-c", `
set -e
ls >/dev/null; cat ../current/context.md >/dev/null; cd ../labels; ls >/dev/null
echo ready; read -r
grep -q "asked later" ../current/context.md; [ "$(ls)" = good ]; cat good >/dev/null; cd ../branches; ls >/dev/null; cd *; cat context.md | head -n 3
`)
		inside.Dir = filepath.Join(at, nameEntries)
		stdin, err := inside.StdinPipe()
		require.NoError(t, err)
		var out strings.Builder
		ready := make(chan bool)
		stdout, err := inside.StdoutPipe()
		require.NoError(t, err)
		inside.Stderr = &out
		require.NoError(t, inside.Start())
		go func() {
			s := bufio.NewScanner(stdout)
			ready <- s.Scan() && s.Text() == "ready"
			for s.Scan() {
				fmt.Fprintln(&out, s.Text())
			}
			close(ready)
		}()
		require.True(t, <-ready, out.String())

		require.NoError(t, os.WriteFile(filepath.Join(at, nameName), []byte("named\n"), 0o644))
		follow(`name "named"`)
		touched, err := shell(t, at, "bash", `touch labels/good`)
		require.NoError(t, err, touched)
		follow(`label "good"`)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(text[:strings.IndexByte(string(text), '\n')]), `"version":3`)
		appendTo(t, file, userLine("ffffffff", lastID(t, text), "asked later"))
		follow("asked later")

		_, err = stdin.Write([]byte("\n"))
		require.NoError(t, err)
		<-ready
		assert.NoError(t, inside.Wait(), out.String())
		now, err := context.Stat()
		if assert.NoError(t, err) {
			assert.Equal(t, contextInfo.Size(), now.Size())
		}
		all, err := os.ReadFile(filepath.Join(at, nameTranscript))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(all), string(transcript)), "what was there stays")
	}
}

// TestStandingInMigrated stands in the directory of a session that is migrated, and
// whose file is then replaced by another session's.
func TestStandingInMigrated(t *testing.T) {
	dir, file := oldSession(t, "v2-hookMessage")
	root := mount(t, Options{}, dir)
	at, err := filepath.Glob(filepath.Join(root, "*/old"))
	require.NoError(t, err)
	require.Len(t, at, 1)
	inside, err := os.Open(at[0])
	require.NoError(t, err)
	defer inside.Close()
	here := fmt.Sprintf("/proc/self/fd/%d/", inside.Fd())
	require.NoError(t, os.WriteFile(here+nameName, []byte("named"), 0o644))
	text, err := os.ReadFile(here + nameName)
	require.NoError(t, err)
	require.Equal(t, "named\n", string(text))
	writeSession(t, file+".new", "2", "/p", "", userLine("b", "", "another"))
	require.NoError(t, os.Rename(file+".new", file))
	eventually(t, "the other one", func() bool {
		text, err := os.ReadFile(here + nameTranscript)
		return err == nil && strings.Contains(string(text), "another")
	})
}
