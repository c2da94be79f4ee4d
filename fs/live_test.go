package fs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// touch sets a file's mtime in seconds.
func touch(t testing.TB, path string, sec int64) {
	t.Helper()
	at := time.Unix(sec, 0)
	require.NoError(t, os.Chtimes(path, at, at))
}

// appendTo appends lines to a file, as a live pi does.
func appendTo(t testing.TB, path string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	for _, l := range lines {
		_, err = f.WriteString(l + "\n")
		require.NoError(t, err)
	}
}

// TestVersions looks at a session before and after it grows.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	tr := New(st, Options{})
	d := dirAt(t, tr, "p/s")
	read := func(name string) string {
		text, err := readNode(d, name)
		require.NoError(t, err)
		return text
	}
	find := func(name string) File {
		n, err := d.Lookup(name)
		require.NoError(t, err)
		return n.(File)
	}
	oldInfo, oldText := find(nameInfo), read(nameInfo)
	oldTranscript := read(nameTranscript)
	branch := dirAt(t, tr, "p/s/branches/a")
	oldContext, err := readNode(branch, nameContext)
	require.NoError(t, err)

	for i := range keptVersions + 1 {
		id := string(rune('b' + i))
		appendTo(t, file, userLine(id, string(rune('a'+i)), "next "+id))
		_, err := st.Sessions()[0].Refresh()
		require.NoError(t, err)
		now := find(nameInfo)
		assert.NotEqual(t, oldInfo.ID(), now.ID(), "another version is another node")
		assert.Equal(t, oldInfo.Ino(), now.Ino())
		assert.NotEqual(t, oldText, read(nameInfo))
		text := make([]byte, len(oldText))
		_, err = oldInfo.ReadAt(text, 0)
		if i+1 < keptVersions {
			assert.Equal(t, oldText, string(text), "who has it open reads on")
		} else {
			assert.ErrorIs(t, err, ErrStale)
		}
		transcript := read(nameTranscript)
		assert.True(t, strings.HasPrefix(transcript, oldTranscript), "transcript.md only grows")
		oldTranscript = transcript
		same, err := readNode(branch, nameContext)
		require.NoError(t, err)
		assert.Equal(t, oldContext, same, "a context at an entry never changes")
	}
}

// eventually waits for a condition, longer than a busy machine needs: that changes are
// seen in time is shown by TestFreshInTime.
func eventually(t testing.TB, what string, is func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for time.Since(begin) < 15*time.Second {
		if is() {
			return time.Since(begin)
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%s: not seen", what)
	return time.Since(begin)
}

// TestFresh changes a store behind the back of a mount and looks.
func TestFresh(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		t.Run(map[bool]string{false: "writable", true: "read only"}[readOnly], func(t *testing.T) { testFresh(t, readOnly) })
	}
}

func testFresh(t *testing.T, readOnly bool) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
	root := mount(t, Options{ReadOnly: readOnly}, dir)
	at := filepath.Join(root, "p/s")
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(at, name))
		return string(text)
	}
	list := func(name string) string {
		entries, _ := os.ReadDir(filepath.Join(root, name))
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	follow, err := os.Open(filepath.Join(at, nameTranscript))
	require.NoError(t, err)
	defer follow.Close()
	seen := read(nameTranscript)
	list("p/s/entries")
	list("p/by-title")
	list("p")

	appendTo(t, file, userLine("b", "a", "second message"))
	took := eventually(t, "an entry in the context", func() bool { return strings.Contains(read("current/context.md"), "second message") })
	t.Log("an appended entry was seen after", took)
	eventually(t, "an entry in info.json", func() bool { return strings.Contains(read(nameInfo), `"leaf": "b"`) })
	eventually(t, "an entry in tree.txt", func() bool { return strings.Contains(read(nameTree), "second message") })
	eventually(t, "an entry in transcript.md", func() bool { return strings.Contains(read(nameTranscript), "second message") })
	eventually(t, "an entry in entries", func() bool { return list("p/s/entries") == "a.json a.md b.json b.md" })
	eventually(t, "a branch", func() bool { return list("p/s/branches") == "b" })
	now := read(nameTranscript)
	assert.True(t, strings.HasPrefix(now, seen))
	text := make([]byte, len(now)+10)
	n, _ := follow.ReadAt(text, 0)
	assert.Equal(t, now, string(text[:n]), "an open transcript grows")

	appendTo(t, file, `{"type":"session_info","id":"n","parentId":"b","timestamp":"2026-01-01T00:00:02.000Z","name":"Named"}`,
		`{"type":"label","id":"l","parentId":"n","timestamp":"2026-01-01T00:00:03.000Z","targetId":"a","label":"L"}`)
	eventually(t, "a name", func() bool { return read(nameName) == "Named\n" })
	eventually(t, "a label", func() bool { return list("p/s/labels") == "L" && read("labels/L") == "a\n" })
	eventually(t, "a title", func() bool { return list("p/by-title") == "Named" })
	appendTo(t, file, `{"type":"label","id":"l2","parentId":"l","timestamp":"2026-01-01T00:00:04.000Z","targetId":"b","label":"L"}`)
	eventually(t, "another entry of the label", func() bool { return read("labels/L") == "a\nb\n" })
	appendTo(t, file, `{"type":"label","id":"l3","parentId":"l2","timestamp":"2026-01-01T00:00:05.000Z","targetId":"b"}`,
		`{"type":"label","id":"l4","parentId":"l3","timestamp":"2026-01-01T00:00:06.000Z","targetId":"a"}`)
	eventually(t, "no label", func() bool {
		_, err := os.Stat(filepath.Join(at, "labels/L"))
		return os.IsNotExist(err) && list("p/s/labels") == ""
	})

	writeSession(t, filepath.Join(dir, "t.jsonl"), "2", "/p", "", userLine("a", "", "other"))
	writeSession(t, filepath.Join(dir, "u.jsonl"), "3", "/q", "", userLine("a", "", "else"))
	eventually(t, "a new session", func() bool { return list("p") == "by-title cwd latest s t" })
	eventually(t, "a new project", func() bool { return list("") == "p q" })
	require.NoError(t, os.Remove(filepath.Join(dir, "u.jsonl")))
	eventually(t, "a project that is gone", func() bool {
		_, err := os.Stat(filepath.Join(root, "q"))
		return list("") == "p" && os.IsNotExist(err)
	})

	open, err := os.Open(filepath.Join(at, "entries/a.json"))
	require.NoError(t, err)
	defer open.Close()
	next := filepath.Join(dir, "next")
	writeSession(t, next, "1", "/p", "", userLine("a", "", "REPLACED "+strings.Repeat("x", 10000)))
	require.NoError(t, os.Rename(next, file))
	eventually(t, "a replaced file", func() bool { return strings.Contains(read("entries/a.json"), "REPLACED") })
	text = make([]byte, 20000)
	n, err = open.ReadAt(text, 0)
	assert.NotContains(t, string(text[:n]), "REPLACED", "who has the old one open does not see the new one")
	if n == 0 {
		assert.ErrorIs(t, err, syscall.ESTALE)
	}
	require.NoError(t, os.Remove(file))
	eventually(t, "a deleted file", func() bool {
		_, err := os.Stat(at)
		return list("p") == "by-title cwd latest t" && os.IsNotExist(err)
	})
}

// TestFreshInTime holds that an appended entry is seen within 100 ms wherever it shows,
// in sessions that are in use and in such that were at rest.
func TestFreshInTime(t *testing.T) {
	const appends = 21
	for _, resting := range []bool{false, true} {
		dir := t.TempDir()
		file := filepath.Join(dir, "s.jsonl")
		writeSession(t, file, "1", "/p", "", userLine("e0", "", "first"))
		at := filepath.Join(mount(t, Options{}, dir), "p/s")
		for _, name := range []string{"current/context.md", nameTranscript, nameTree} {
			var took []time.Duration
			for range appends {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				n := bytes.Count(text, []byte("\n"))
				if resting {
					touch(t, file, int64(n))
					time.Sleep(10 * time.Millisecond)
				}
				id := fmt.Sprintf("e%d", n)
				appendTo(t, file, userLine(id, fmt.Sprintf("e%d", n-1), "message "+id+"."))
				took = append(took, eventually(t, id, func() bool {
					text, _ := os.ReadFile(filepath.Join(at, name))
					return strings.Contains(string(text), "message "+id+".")
				}))
			}
			slices.Sort(took)
			t.Logf("%s: seen after %v, at most %v", name, took[appends/2], took[appends-1])
			assert.Less(t, took[appends/2], 100*time.Millisecond, "%s, at rest %v", name, resting)
		}
	}
}

// TestFreshLinks looks at what leads from one session to another, and at what tools and
// images have left, while the store changes.
func TestFreshLinks(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		dir := t.TempDir()
		file := filepath.Join(dir, "s.jsonl")
		writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
		touch(t, file, 1000)
		root := filepath.Join(mount(t, Options{ReadOnly: readOnly}, dir), "p")
		link := func(name string) string {
			to, _ := os.Readlink(filepath.Join(root, name))
			return to
		}
		list := func(name string) (names string) {
			entries, _ := os.ReadDir(filepath.Join(root, name))
			for _, e := range entries {
				names += e.Name() + " "
			}
			return names
		}
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(root, name))
			return string(text)
		}
		assert.Equal(t, "branches/a", link("s/current"))
		assert.Equal(t, "s", link("latest"))
		assert.Empty(t, list("s/children")+list("s/images")+read("s/files.txt"))

		appendTo(t, file, dated("b", "a", 2, `"type":"message","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"`+onePixel+`"}]}`),
			dated("c", "b", 3, `"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"read","arguments":{"path":"x.go"}}]}`))
		eventually(t, "where pi would resume", func() bool { return link("s/current") == "branches/c" })
		eventually(t, "an image", func() bool { return list("s/images") == "b-1.png " })
		eventually(t, "a file that was read", func() bool { return read("s/files.txt") == "r /p/x.go\n" })

		writeSession(t, filepath.Join(dir, "t.jsonl"), "2", "/p", `"parentSession":"`+file+`"`, userLine("a", "", "first"))
		eventually(t, "a fork", func() bool { return list("s/children") == "t " && link("t/parent") == "../s" })
		eventually(t, "the latest", func() bool { return link("latest") == "t" })
		touch(t, file, time.Now().Unix()+100)
		eventually(t, "the latest again", func() bool { return link("latest") == "s" })
		require.NoError(t, os.Remove(file))
		eventually(t, "a fork whose parent is gone", func() bool {
			return list("") == "by-title cwd latest t " && link("t/parent") == "" && link("latest") == "t"
		})
	}
}

// TestFreshAtRest changes sessions that look as if they were at rest, of which the kernel
// keeps more.
func TestFreshAtRest(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		dir := t.TempDir()
		file := filepath.Join(dir, "s.jsonl")
		writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
		writeSession(t, filepath.Join(dir, "t.jsonl"), "2", "/p", "", userLine("a", "", "other"))
		atRest(t, dir)
		root := mount(t, Options{ReadOnly: readOnly}, dir)
		last := func() string {
			text, _ := os.ReadFile(filepath.Join(root, "p/s/current/context.md"))
			return string(text[bytes.LastIndexByte(text, '#')+1:])
		}
		assert.Contains(t, last(), "first")
		for i := range 5 {
			id := string(rune('b' + i))
			appendTo(t, file, userLine(id, string(rune('a'+i)), "message "+id))
			touch(t, file, int64(1001+i)) // as programs do that keep the times of what they copy
			eventually(t, "an entry", func() bool { return strings.Contains(last(), "message "+id) })
		}
		next := filepath.Join(dir, "next")
		writeSession(t, next, "1", "/p", "", userLine("z", "", "replaced"))
		touch(t, next, 1000)
		require.NoError(t, os.Rename(next, file))
		eventually(t, "another file", func() bool { return strings.Contains(last(), "replaced") })
		require.NoError(t, os.Rename(file, filepath.Join(dir, "t.jsonl")))
		eventually(t, "a session that is gone", func() bool {
			_, err := os.Stat(filepath.Join(root, "p/s/current"))
			return os.IsNotExist(err) && last() == ""
		})
	}
}

// TestChangedPast appends entries that change what stood there before: one that
// takes the id of an earlier one, and the parent that an earlier one had named.
func TestChangedPast(t *testing.T) {
	for what, lines := range map[string][2]string{
		"an id that is used again":      {userLine("b", "a", "child"), userLine("a", "", "again")},
		"a parent that comes after all": {userLine("b", "late", "child"), userLine("late", "a", "parent")},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "s.jsonl")
			writeSession(t, file, "1", "/p", "", userLine("a", "", "first"), lines[0])
			root := mount(t, Options{}, dir)
			at := filepath.Join(root, "p/s", nameTranscript)
			open, err := os.Open(at)
			require.NoError(t, err)
			defer open.Close()
			before, err := os.ReadFile(at)
			require.NoError(t, err)
			appendTo(t, file, lines[1])
			var now string
			eventually(t, "the new entry", func() bool {
				text, _ := os.ReadFile(at)
				now = string(text)
				return strings.Count(now, "## user") == 3
			})
			assert.False(t, strings.HasPrefix(now, string(before)), "the test changes the past")
			text := make([]byte, len(now)+100)
			n, err := open.ReadAt(text, 0)
			if n > 0 {
				assert.Equal(t, string(before), string(text[:n]), "who has the old one open sees nothing else")
			} else {
				assert.ErrorIs(t, err, syscall.ESTALE)
			}
			fresh := mount(t, Options{}, dir)
			want, err := os.ReadFile(filepath.Join(fresh, "p/s", nameTranscript))
			require.NoError(t, err)
			assert.Equal(t, string(want), now)
		})
	}
}

// TestTail follows transcript.md as a developer would.
func TestTail(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("a", "", "first"))
	at := filepath.Join(mount(t, Options{}, dir), "p/s", nameTranscript)
	out := filepath.Join(t.TempDir(), "out")
	stop := tail(t, at, out)
	defer stop()
	for i := range 5 {
		id := string(rune('b' + i))
		appendTo(t, file, userLine(id, string(rune('a'+i)), "message "+id))
		eventually(t, "a line in tail -f", func() bool {
			text, _ := os.ReadFile(out)
			return strings.Contains(string(text), "message "+id)
		})
	}
	want, err := os.ReadFile(at)
	require.NoError(t, err)
	eventually(t, "all of the transcript", func() bool {
		got, _ := os.ReadFile(out)
		return string(got) == string(want)
	})
}

// TestNoZeros has several programs read the end of a transcript while it grows: what
// the kernel has kept of the old end must not be shown as the new one.
func TestNoZeros(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	writeSession(t, file, "1", "/p", "", userLine("e0", "", "first"))
	at := filepath.Join(mount(t, Options{NoSync: true}, dir), "p/s", nameTranscript)
	done := make(chan struct{})
	var readers sync.WaitGroup
	var zeros, reads atomic.Int64
	for range 3 {
		readers.Go(func() {
			f, err := os.Open(at)
			if err != nil {
				return
			}
			defer f.Close()
			text := make([]byte, 4096)
			for {
				select {
				case <-done:
					return
				default:
				}
				if st, err := f.Stat(); err == nil {
					n, _ := f.ReadAt(text, max(0, st.Size()-1000))
					reads.Add(1)
					if bytes.IndexByte(text[:n], 0) >= 0 {
						zeros.Add(1)
					}
				}
			}
		})
	}
	for i := range 300 {
		appendTo(t, file, userLine(fmt.Sprintf("e%d", i+1), fmt.Sprintf("e%d", i), strings.Repeat("word ", 20)))
		time.Sleep(3 * time.Millisecond)
	}
	close(done)
	readers.Wait()
	assert.Positive(t, reads.Load())
	assert.Zero(t, zeros.Load(), "of %d reads", reads.Load())
}
