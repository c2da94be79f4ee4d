package fs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUndecodable writes what is no UTF-8: the write that makes it so fails, as
// shells ignore the errors of close.
func TestUndecodable(t *testing.T) {
	for _, row := range []struct {
		writes []string
		late   bool     // only the close can fail
		want   []string // what is appended
	}{
		{writes: []string{"caf\xe9\n"}},
		{writes: []string{"caf\xe9"}, late: true},
		{writes: []string{"\xff"}},
		{writes: []string{"caf\xc3\n"}},
		{writes: []string{"a\x80b"}},
		{writes: []string{"caf\xc3", "\xa9"}, want: []string{namedAs("café")}},
		{writes: []string{"\xf0\x9f", "\x98", "\x80\n"}, want: []string{namedAs("😀")}},
		{writes: []string{"\xf0\x9f", "x"}},
	} {
		m := newWriteMount(t, Options{})
		var err error
		got := m.added(func() {
			f, openErr := os.OpenFile(filepath.Join(m.dir, nameName), os.O_WRONLY|os.O_TRUNC, 0)
			require.NoError(t, openErr)
			for _, text := range row.writes {
				if _, err = f.WriteString(text); err != nil {
					break
				}
			}
			if closeErr := f.Close(); row.late {
				require.NoError(t, err)
				err = closeErr
			}
		})
		if row.want == nil {
			assert.ErrorIs(t, err, syscall.EINVAL, "%q", row.writes)
		} else {
			assert.NoError(t, err, "%q", row.writes)
		}
		assert.Equal(t, row.want, got, "%q", row.writes)
	}
}

// TestAppendingWriters adds entries to a label from several descriptors that are
// open at once: none takes away what another has added.
func TestAppendingWriters(t *testing.T) {
	m := newWriteMount(t, Options{})
	run := func(line string) []string {
		return m.added(func() {
			out, err := shell(t, m.dir, "bash", line)
			assert.NoError(t, err, out)
		})
	}
	assert.Equal(t, []string{labelled("a", "one"), labelled("b", "one"), labelled("c1", "one")},
		run(`exec 3>>labels/one 4>>labels/one; echo a >&3; echo b >&4; echo c1 >&3`))
	assert.Equal(t, "a\nb\nc1\n", m.read("labels/one"))
	// A file that was emptied is decided at its last close, which nobody waits for.
	assert.ElementsMatch(t, []string{labelled("d1", "one"), labelled("b", ""), labelled("d2", "one")},
		run(`exec 3>>labels/one; echo d1 > labels/d1; echo d1 >> labels/one; : > labels/b; echo d2 >&3`)[1:],
		"what was taken away meanwhile does not come back")
	assert.Equal(t, "a\nc1\nd1\nd2\n", m.read("labels/one"))
	assert.Len(t, run(`for i in b c2 s c3; do echo $i >> labels/par & done; wait`), 4)
	assert.Equal(t, "b\nc2\ns\nc3\n", m.read("labels/par"))
	assert.Equal(t, []string{labelled("d3", "new")}, run(`echo >> labels/new`))
	assert.Empty(t, run(`echo >> labels/new; echo d3 >> labels/new`))
}

// TestAppendToManyEntries adds an entry to a label whose file is longer than what
// can be written to it.
func TestAppendToManyEntries(t *testing.T) {
	m := newWriteMount(t, Options{})
	var text strings.Builder
	var want []string
	for i := range 600 {
		id := fmt.Sprintf("%08x", i)
		fmt.Fprintf(&text, `{"type":"custom","id":"%s","parentId":"d3","timestamp":"2026-01-01T00:00:12.000Z","customType":"x"}`+"\n", id)
		fmt.Fprintf(&text, `{"type":"label","id":"l%s","parentId":"%s","timestamp":"2026-01-01T00:00:12.000Z","targetId":"%s","label":"many"}`+"\n", id, id, id)
		want = append(want, id)
	}
	f, err := os.OpenFile(m.file, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.WriteString(text.String())
	require.NoError(t, err)
	require.NoError(t, f.Close())
	file := filepath.Join(m.dir, nameLabels, "many")
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(file)
		return err == nil && string(text) == strings.Join(want, "\n")+"\n"
	}, 5*time.Second, 10*time.Millisecond)
	assert.Equal(t, []string{labelled("a", "many")}, m.added(func() {
		out, err := shell(t, m.dir, "bash", `echo a >> labels/many`)
		assert.NoError(t, err, out)
	}))
}

// TestLateErrors lets writes fail that could not be known to fail before the file was
// closed. Programs that look are told; for others, as bash, it is in the log.
func TestLateErrors(t *testing.T) {
	m := newWriteMount(t, Options{})
	away := m.file + ".away"
	for _, row := range []struct {
		name, text string
		before     func() error // between the write and the close
		after      func() error
		want       syscall.Errno
		logged     string
	}{
		{name: "labels/x", text: "nobody", want: syscall.EINVAL, logged: "no such entry"},
		{
			name: nameName, text: "x\n", want: syscall.EBUSY, logged: "locked by another program",
			before: func() error { return os.WriteFile(m.file+".lock", nil, 0o600) },
			after:  func() error { return os.Remove(m.file + ".lock") },
		},
		{
			name: nameName, text: "x\n", want: syscall.ESTALE, logged: "deleted",
			before: func() error { return os.Rename(m.file, away) },
			after:  func() error { return os.Rename(away, m.file) },
		},
	} {
		assert.Empty(t, m.added(func() {
			f, err := os.OpenFile(filepath.Join(m.dir, row.name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
			require.NoError(t, err)
			_, err = f.WriteString(row.text)
			require.NoError(t, err)
			if row.before != nil {
				require.NoError(t, row.before())
			}
			assert.ErrorIs(t, f.Close(), row.want)
			if row.after != nil {
				require.NoError(t, row.after())
			}
		}))
		log, err := os.ReadFile(filepath.Join(m.root, ".pifs/log"))
		require.NoError(t, err)
		assert.Contains(t, string(log), row.logged)
	}
}

// TestTouchTells holds that a label is there, or the user has been told why not, when
// touch ends.
func TestTouchTells(t *testing.T) {
	runtime.LockOSThread() // The kernel tells of a thread, not of a descriptor.
	defer runtime.UnlockOSThread()
	m := newWriteMount(t, Options{})
	for i := range 20 {
		out, err := shell(t, m.dir, "bash", fmt.Sprintf(`touch labels/t%d; cat labels/t%d`, i, i))
		require.NoError(t, err, out)
		require.Equal(t, "d3", strings.TrimSpace(out))
	}
	assert.Empty(t, m.added(func() {
		fd, err := syscall.Open(filepath.Join(m.dir, nameLabels, "x"), syscall.O_CREAT|syscall.O_WRONLY, 0o644)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(m.file+".lock", nil, 0o644))
		refuse(t, syscall.EBUSY, "touch", syscall.Futimes(fd, make([]syscall.Timeval, 2)))
		require.NoError(t, syscall.Close(fd))
		require.NoError(t, os.Remove(m.file+".lock"))
	}))
}

// TestReplacedName puts a file in the place of the name, as programs do that first
// remove what is there.
func TestReplacedName(t *testing.T) {
	m := newWriteMount(t, Options{})
	t.Setenv("TMP", t.TempDir())
	for i, command := range []string{`mv -f "$TMP/f" name`, `install -m 600 "$TMP/f" name`, `cp -p --remove-destination "$TMP/f" name`} {
		m.added(func() { require.NoError(t, os.WriteFile(filepath.Join(m.dir, nameName), []byte("old"), 0o644)) })
		name := fmt.Sprint("new ", i)
		assert.Equal(t, []string{namedAs(""), namedAs(name)}, m.added(func() {
			out, err := shell(t, m.dir, "bash", `echo "`+name+`" > "$TMP/f"; `+command)
			assert.NoError(t, err, "%s: %s", command, out)
		}))
		assert.Equal(t, name+"\n", m.read(nameName))
	}
	assert.Equal(t, []string{namedAs("")}, m.added(func() { require.NoError(t, os.Remove(filepath.Join(m.dir, nameName))) }))
	out, err := shell(t, m.dir, "bash", "cat name; ls")
	assert.NoError(t, err, "it is there for others")
	assert.Contains(t, out, "name")
}
