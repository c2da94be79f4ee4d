package fs

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oldSession mounts a store with a session of version 1 or 2, at rest, and returns its
// file and its directory in the mount.
func oldSession(t *testing.T, name string, o Options) (file, at string) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(edgeStore, name+".jsonl"))
	require.NoError(t, err)
	file = filepath.Join(dir, "old.jsonl")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	atRest(t, dir)
	found, err := filepath.Glob(filepath.Join(mount(t, o, dir), "*/old"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return file, found[0]
}

// openOld opens a file or directory until the test ends. here is its path for who has it open.
func openOld(t *testing.T, path string) (f *os.File, here string) {
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f, fmt.Sprintf("/proc/self/fd/%d/", f.Fd())
}

var oldSessions = []string{"v1-linear", "v2-hookMessage"}

// TestMigratedByTouch labels sessions of old versions, which migrates them, in all ways.
func TestMigratedByTouch(t *testing.T) {
	for _, name := range oldSessions {
		for _, line := range []string{`touch labels/L`, `: > labels/L`, `ln -s "$(ls -d entries/*.json | head -n 1)" labels/L`,
			`{ echo a; echo b; } > name`, `exec 3> name; echo one >&3; true 3>&3; echo two >&3; exec 3>&-; [ "$(cat name)" = "one two" ]`} {
			_, at := oldSession(t, name, Options{})
			out, err := shell(t, at, "bash", line)
			assert.NoError(t, err, "%s: %s: %s", name, line, out)
			assert.Empty(t, out, line)
			if strings.Contains(line, "labels/L") {
				list, err := os.ReadDir(filepath.Join(at, nameLabels))
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
		file, at := oldSession(t, name, Options{})
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
	file, at := oldSession(t, "v2-hookMessage", Options{})
	_, here := openOld(t, at)
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

// TestMigratedMeanwhile asks for all sorts of things without a pause while a session is
// migrated.
func TestMigratedMeanwhile(t *testing.T) {
	for range 10 {
		_, at := oldSession(t, "v1-linear", Options{})
		transcript, _ := openOld(t, filepath.Join(at, nameTranscript))
		name, _ := openOld(t, filepath.Join(at, nameName))
		_, entries := openOld(t, filepath.Join(at, nameEntries))
		end := make(chan bool)
		var readers sync.WaitGroup
		for _, look := range []func() error{
			func() error { _, err := transcript.Stat(); return err },
			func() error { _, err := transcript.ReadAt(make([]byte, 100), 0); return err },
			func() error { _, err := name.Stat(); return err },
			func() error { _, err := os.ReadDir(entries); return err },
			func() error { _, err := os.ReadFile(entries + "../current/context.md"); return err },
		} {
			readers.Go(func() {
				for {
					select {
					case <-end:
						return
					default:
						if !assert.NoError(t, look()) {
							return
						}
					}
				}
			})
		}
		assert.NoError(t, os.WriteFile(filepath.Join(at, nameName), []byte("named\n"), 0o644))
		close(end)
		readers.Wait()
	}
}

// TestMigratedByMany has several writers change a session that none of them has migrated
// yet.
func TestMigratedByMany(t *testing.T) {
	for round := range 10 {
		file, at := oldSession(t, "v1-linear", Options{})
		transcript, _ := openOld(t, filepath.Join(at, nameTranscript))
		list, err := os.ReadDir(filepath.Join(at, nameEntries))
		require.NoError(t, err)
		var writers sync.WaitGroup
		for i := range 4 {
			label, err := os.Create(filepath.Join(at, nameLabels, fmt.Sprint("L", i)))
			require.NoError(t, err)
			writers.Go(func() {
				time.Sleep(time.Duration(i*round) * time.Millisecond / 4)
				_, err := label.WriteString(list[2*i].Name() + "\n")
				assert.NoError(t, err)
				assert.NoError(t, label.Sync())
				assert.NoError(t, label.Close())
			})
		}
		writers.Wait()
		_, err = transcript.Stat()
		assert.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for i := range 4 {
			assert.Contains(t, string(text), fmt.Sprintf(`"label":"L%d"`, i))
		}
	}
}

// TestMigratedDirectories uses what was opened of a session before it was migrated.
func TestMigratedDirectories(t *testing.T) {
	file, at := oldSession(t, "v1-linear", Options{AllowDelete: true})
	unread, _ := openOld(t, filepath.Join(at, nameEntries))
	transcript, _ := openOld(t, filepath.Join(at, nameTranscript))
	_, labels := openOld(t, filepath.Join(at, nameLabels))
	_, children := openOld(t, filepath.Join(at, nameChildren))
	list, err := os.ReadDir(children)
	require.NoError(t, err)
	require.Empty(t, list)

	require.NoError(t, os.WriteFile(labels+"L", nil, 0o644))
	list, err = unread.ReadDir(-1)
	require.NoError(t, err)
	assert.NotEmpty(t, list)
	assert.NoError(t, os.Rename(labels+"L", filepath.Join(at, nameLabels, "M")))
	_, err = os.Stat(labels + "M")
	assert.NoError(t, err)

	header := fmt.Sprintf(`{"type":"session","version":3,"id":"fork","cwd":"/e","timestamp":"2026-01-01T00:00:00.000Z","parentSession":%q}`, file)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "fork.jsonl"), []byte(header+"\n"+userLine("a", "", "q")+"\n"), 0o644))
	eventually(t, "the fork", func() bool {
		list, err := os.ReadDir(children)
		return err == nil && len(list) == 1
	})

	require.NoError(t, os.Remove(at))
	eventually(t, "the end", func() bool {
		_, err := transcript.Stat()
		return errors.Is(err, syscall.ESTALE)
	})
}

// TestStandingInReplaced stands in directories of a session whose file is replaced, and
// grows then.
func TestStandingInReplaced(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		dir := copySession(t, branchy)
		atRest(t, dir)
		root := mount(t, Options{ReadOnly: readOnly}, dir)
		at := filepath.Join(root, "edge-demo", branchy)
		_, here := openOld(t, at)
		_, entries := openOld(t, filepath.Join(at, nameEntries))
		look := func() (current string, n int) {
			current, err := os.Readlink(here + nameCurrent)
			require.NoError(t, err)
			list, err := os.ReadDir(entries)
			require.NoError(t, err)
			return current, len(list)
		}
		current, n := look()
		file := filepath.Join(dir, branchy+".jsonl")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file+".new", text, 0o644))
		require.NoError(t, os.Rename(file+".new", file))
		eventually(t, "the copy", func() bool { _, err := os.Readlink(here + nameCurrent); return err == nil })
		appendTo(t, file, userLine("ffffffff", "", "a new root"))
		eventually(t, "what is new", func() bool {
			now, m := look()
			return now != current && m == n+2
		})
	}
}
