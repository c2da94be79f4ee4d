package fs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/needs"
)

// branchy is the session of the edge files that the write tests change: a, b, and
// the branches c1 d1, c2 d2 and s c3 d3, the last of which is current.
const branchy = "three-way-branch-labels"

// A writeMount is a mount of one session that may be changed.
type writeMount struct {
	t    testing.TB
	file string // the store file
	dir  string // the session's directory
	root string
}

func newWriteMount(t testing.TB, o Options) *writeMount {
	t.Helper()
	st := copySession(t, branchy)
	o.NoSync = true
	root := mount(t, o, st)
	return &writeMount{t, filepath.Join(st, branchy+".jsonl"), filepath.Join(root, "edge-demo", branchy), root}
}

// bytes returns the store file.
func (m *writeMount) bytes() []byte {
	text, err := os.ReadFile(m.file)
	require.NoError(m.t, err)
	return text
}

// read returns a file of the session's directory.
func (m *writeMount) read(name string) string {
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	require.NoError(m.t, err)
	return string(text)
}

// labels lists the labels directory.
func (m *writeMount) labels() (names []string) {
	list, err := os.ReadDir(filepath.Join(m.dir, nameLabels))
	require.NoError(m.t, err)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// added runs f and returns the entries that the file got by that, without the
// ids and times that no two writers would draw alike, which it checks.
func (m *writeMount) added(f func()) (entries []string) {
	m.t.Helper()
	before := m.bytes()
	f()
	after := m.settled()
	require.True(m.t, bytes.HasPrefix(after, before), "old bytes were changed")
	parent := lastID(m.t, before)
	for line := range strings.Lines(string(after[len(before):])) {
		var e struct{ Type, ID, ParentID, Timestamp string }
		require.NoError(m.t, json.Unmarshal([]byte(line), &e), line)
		assert.Regexp(m.t, `^[0-9a-f]{8}$`, e.ID)
		assert.Equal(m.t, parent, e.ParentID, "the parent is the current leaf")
		_, err := time.Parse("2006-01-02T15:04:05.000Z", e.Timestamp)
		require.NoError(m.t, err)
		parent = e.ID
		entries = append(entries, strings.TrimSuffix(headRE.ReplaceAllString(line, ""), "\n"))
	}
	return entries
}

// headRE is what all entries begin with after their type.
var headRE = regexp.MustCompile(`"id":"[^"]*","parentId":"[^"]*","timestamp":"[^"]*",?`)

// settled returns the store file once a release that is still under way has been
// answered: an open of the same file waits for none, but a sync of the directory's
// file system sends nothing either, so it is asked until nothing changes.
func (m *writeMount) settled() []byte {
	last := m.bytes()
	for quiet := 0; quiet < 3; {
		time.Sleep(10 * time.Millisecond)
		if now := m.bytes(); bytes.Equal(now, last) {
			quiet++
		} else {
			last, quiet = now, 0
		}
	}
	return last
}

// lastID is the id of the last entry.
func lastID(t testing.TB, text []byte) string {
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	var e struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &e))
	return e.ID
}

func namedAs(name string) string { return `{"type":"session_info","name":"` + name + `"}` }

func labelled(target, text string) string {
	if text == "" {
		return `{"type":"label","targetId":"` + target + `"}`
	}
	return `{"type":"label","targetId":"` + target + `","label":"` + text + `"}`
}

// shells are the shells in which the writes are tried, and redirects how each
// spells a command that does nothing but redirect.
var shells = []string{"bash", "dash", "zsh", "fish"}

// TestShellWrites runs the rows of the writing table in each shell.
func TestShellWrites(t *testing.T) {
	rows := []struct {
		line  string
		want  []string          // what is appended
		reads map[string]string // what files have then
		fails string            // what the user sees, except of dash, whose echo has one word for all
	}{
		{line: `echo "First name" > name`, want: []string{namedAs("First name")}, reads: map[string]string{"name": "First name\n"}},
		{line: `echo "First name" > name`},
		{line: `printf '  two\nlines  ' > name`, want: []string{namedAs("two lines")}, reads: map[string]string{"name": "two lines\n"}},
		{line: `echo more >> name`, want: []string{namedAs("two lines more")}},
		{line: `echo > name`, want: []string{namedAs("")}, reads: map[string]string{"name": ""}},
		{line: `echo again > name`, want: []string{namedAs("again")}},
		{line: `rm name`, want: []string{namedAs("")}, reads: map[string]string{"name": ""}},
		{line: `echo d1 > labels/one`, want: []string{labelled("d1", "one")}, reads: map[string]string{"labels/one": "d1\n"}},
		{line: `echo ../entries/c1.json >> labels/one`, want: []string{labelled("c1", "one")}, reads: map[string]string{"labels/one": "c1\nd1\n"}},
		{line: `echo d2.md > labels/one`, want: []string{labelled("c1", ""), labelled("d1", ""), labelled("d2", "one")}, reads: map[string]string{"labels/one": "d2\n"}},
		{line: `touch labels/here`, want: []string{labelled("d3", "here")}, reads: map[string]string{"labels/here": "d3\n"}},
		{line: `touch labels/here`},
		{line: `ln -s ../entries/a.json labels/start`, want: []string{labelled("a", "start")}, reads: map[string]string{"labels/start": "a\n"}},
		{line: `echo "a label" > labels/b`, want: []string{labelled("b", "a label")}, reads: map[string]string{"labels/b": "a label\n", "labels/a label": "b\n"}},
		{line: `mv "labels/a label" labels/other`, want: []string{labelled("b", "other")}, reads: map[string]string{"labels/other": "b\n", "labels/b": "other\n"}},
		{line: `rm labels/other`, want: []string{labelled("b", "")}},
		{line: `rm labels/start`, want: []string{labelled("a", "")}},
		{line: `mkdir -p x 2>/dev/null; echo x%2Fy > labels/c1`, want: []string{labelled("c1", "x%2Fy")}, reads: map[string]string{"labels/x%252Fy": "c1\n"}},
		{line: `echo c2 > labels/p%2Fq`, want: []string{labelled("c2", "p/q")}, reads: map[string]string{"labels/p%2Fq": "c2\n", "labels/c2": "p/q\n"}},
		{line: `echo nobody > labels/one`, fails: "nvalid argument"},
		{line: `echo nobody > labels/fresh`, fails: "nvalid argument"},
		{line: `echo a > labels/.swp`, fails: "not permitted"},
		{line: `echo a > labels/back~`, fails: "not permitted"},
		{line: `mv ../by-title/question "../by-title/Titled so"`, want: []string{namedAs("Titled so")}, reads: map[string]string{"name": "Titled so\n"}},
		{line: `sed -i s/so/no/ name`, fails: "not permitted"},
		{line: `sed -i s/d2/d1/ labels/one`, fails: "not permitted"},
		{line: `sed -i.bak 1d labels/one`, fails: "not permitted"},
		{line: `touch "labels/ "`, fails: "nvalid argument"},
		{line: `echo "  " > labels/b`, fails: "nvalid argument"},
		{line: `printf '  spaced' | dd bs=1 of=labels/b status=none`, want: []string{labelled("b", "  spaced")}},
		{line: `rm labels/b`, want: []string{labelled("b", "")}},
	}
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			needs.Program(t, name)
			m := newWriteMount(t, Options{})
			for _, row := range rows {
				var out string
				var err error
				got := m.added(func() { out, err = shell(t, m.dir, name, row.line) })
				if row.fails == "" {
					assert.NoError(t, err, "%s: %s", row.line, out)
				} else {
					assert.Error(t, err, row.line)
					if !strings.Contains(out, "echo: I/O error") || name != "dash" {
						assert.Contains(t, out, row.fails, row.line)
					}
				}
				assert.Equal(t, row.want, got, row.line)
				for file, want := range row.reads {
					assert.Equal(t, want, m.read(file), "%s: %s", row.line, file)
				}
			}
			assert.Equal(t, []string{"here", "one", "p%2Fq", "x%252Fy"}, m.labels())
			log, err := os.ReadFile(filepath.Join(m.root, ".pifs/log"))
			require.NoError(t, err)
			assert.Empty(t, string(log))
		})
	}
}

// TestEmptied tries what leaves a file empty without writing to it.
func TestEmptied(t *testing.T) {
	m := newWriteMount(t, Options{})
	run := func(line string) []string {
		return m.added(func() {
			out, err := shell(t, m.dir, "bash", line)
			assert.NoError(t, err, out)
		})
	}
	assert.Equal(t, []string{namedAs("x")}, run(`echo x > name`))
	assert.Equal(t, []string{namedAs("")}, run(`: > name`))
	assert.Equal(t, []string{labelled("d3", "new")}, run(`: > labels/new`))
	assert.Equal(t, []string{labelled("d3", "")}, run(`: > labels/new`), "an emptied label has no entries")
	assert.Equal(t, []string{namedAs("abcd")}, run(`(printf ab; printf cd) > name`))
	assert.Equal(t, []string{namedAs("")}, run(`truncate -s 0 name`))
	assert.Equal(t, []string{namedAs("later")}, run(`(sleep 0.1; echo later) > name`))
}

// TestPrograms saves with the programs that people use.
func TestPrograms(t *testing.T) {
	rows := []struct{ program, line, want string }{
		{"tee", `echo by tee | tee name`, "by tee"},
		{"cp", `echo by cp > "$TMP/f"; cp "$TMP/f" name`, "by cp"},
		{"cp", `echo by cp -p > "$TMP/f"; cp -p "$TMP/f" name`, "by cp -p"},
		{"dd", `echo by dd | dd of=name status=none`, "by dd"},
		{"ed", `printf '1s/dd/ed/\nw\nq\n' | ed -s name`, "by ed"},
		{"vim", `vim -es -u NONE -c '%s/ed/vim/' -c wq name </dev/null`, "by vim"},
		{"python3", `python3 -c 'open("name","w").write("by python")'`, "by python"},
		{"python3", `python3 -c 'import os; f=open("name","w"); f.write("by fsync"); f.flush(); os.fsync(f.fileno()); f.close()'`, "by fsync"},
		{"emacs", `HOME="$TMP" emacs -Q --batch name --eval '(progn (erase-buffer) (insert "by emacs") (save-buffer))' 2>&1`, "by emacs"},
		{"nano", `TERM=xterm python3 "$NANO"`, "by nano"},
	}
	m := newWriteMount(t, Options{})
	require.NoError(t, os.Setenv("TMP", t.TempDir()))
	nano, err := filepath.Abs("testdata/nano.py")
	require.NoError(t, err)
	t.Setenv("NANO", nano)
	for _, row := range rows {
		t.Run(row.want, func(t *testing.T) {
			needs.Program(t, row.program)
			m.t = t
			got := m.added(func() {
				out, err := shell(t, m.dir, "bash", row.line)
				assert.NoError(t, err, out)
			})
			assert.Equal(t, []string{namedAs(row.want)}, got)
			assert.Equal(t, row.want+"\n", m.read(nameName))
		})
	}
}

// TestDelete removes a session's directory, where that is allowed.
func TestDelete(t *testing.T) {
	m := newWriteMount(t, Options{AllowDelete: true})
	t.Setenv("PATH", os.Getenv("PATH"))
	require.NoError(t, syscall.Rmdir(m.dir))
	_, err := os.Stat(m.file)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.Eventually(t, func() bool {
		_, err := os.Stat(m.dir)
		return os.IsNotExist(err)
	}, 2*time.Second, 10*time.Millisecond)
}

// TestRefusals makes every call that changes something on every kind of node,
// where the writing table does not name it.
func TestRefusals(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		t.Run(map[bool]string{false: "writable", true: "read only"}[readOnly], func(t *testing.T) {
			m := newWriteMount(t, Options{ReadOnly: readOnly})
			want := syscall.EPERM
			if readOnly {
				want = syscall.EROFS
			}
			before := m.bytes()
			var files, dirs, links []string
			require.NoError(t, filepath.WalkDir(m.root, func(path string, e os.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case e.IsDir():
					dirs = append(dirs, path)
				case e.Type()&os.ModeSymlink != 0:
					links = append(links, path)
				case readOnly || path != filepath.Join(m.dir, nameName):
					files = append(files, path)
				}
				return nil
			}))
			require.Greater(t, len(files), 20)
			for _, path := range files {
				refuse(t, want, "open "+path, open(path, syscall.O_WRONLY))
				refuse(t, want, "truncate "+path, syscall.Truncate(path, 0))
				refuse(t, want, "chmod "+path, syscall.Chmod(path, 0o777))
				refuse(t, want, "chown "+path, syscall.Chown(path, 1, 1))
				refuse(t, want, "utimes "+path, syscall.Utimes(path, make([]syscall.Timeval, 2)))
				refuse(t, want, "unlink "+path, syscall.Unlink(path))
				refuse(t, want, "link "+path, syscall.Link(path, path+".hard"))
				refuse(t, want, "rename "+path, syscall.Rename(path, path+".new"))
				assert.Error(t, unix.Setxattr(path, "user.x", []byte("1"), 0), path)
			}
			for _, path := range links {
				refuse(t, want, "unlink "+path, syscall.Unlink(path))
				refuse(t, want, "lchown "+path, syscall.Lchown(path, 1, 1))
				if filepath.Base(filepath.Dir(path)) != nameTitles {
					refuse(t, want, "rename "+path, syscall.Rename(path, path+".new"))
				}
			}
			for _, path := range dirs {
				refuse(t, want, "chmod "+path, syscall.Chmod(path, 0o777))
				refuse(t, want, "mkdir in "+path, syscall.Mkdir(filepath.Join(path, "new"), 0o755))
				refuse(t, want, "mkfifo in "+path, syscall.Mkfifo(filepath.Join(path, "new"), 0o644))
				if path != m.root {
					refuse(t, want, "rename "+path, syscall.Rename(path, path+".new"))
					refuse(t, want, "rmdir "+path, syscall.Rmdir(path))
				}
				if !readOnly && filepath.Base(path) == nameLabels {
					continue
				}
				refuse(t, want, "create in "+path, open(filepath.Join(path, "new"), syscall.O_CREAT|syscall.O_WRONLY))
				refuse(t, want, "symlink in "+path, syscall.Symlink("target", filepath.Join(path, "new")))
			}
			assert.Equal(t, string(before), string(m.settled()))
		})
	}
}

// open opens and closes a file.
func open(path string, flags int) error {
	fd, err := syscall.Open(path, flags, 0o644)
	if err == nil {
		syscall.Close(fd)
	}
	return err
}

// refuse wants an error number.
func refuse(t *testing.T, want syscall.Errno, what string, err error) {
	t.Helper()
	if err != want {
		t.Errorf("%s: %v, not %v", what, err, want)
	}
}

// TestReadOnlySession tries to change a session of another program's dialect.
func TestReadOnlySession(t *testing.T) {
	root := mount(t, Options{}, copyStore(t, edgeStore))
	for _, name := range []string{"version-4", "version-99-string", "header-on-line-2-title-slot"} {
		dir := filepath.Join(root, "edge-demo", name)
		refuse(t, syscall.EROFS, "open "+name, open(filepath.Join(dir, nameName), syscall.O_WRONLY))
		refuse(t, syscall.EROFS, "create in "+name, open(filepath.Join(dir, nameLabels, "x"), syscall.O_CREAT|syscall.O_WRONLY))
		st, err := os.Stat(filepath.Join(dir, nameName))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o444), st.Mode())
	}
}

// TestTooLong writes more than a name may have.
func TestTooLong(t *testing.T) {
	m := newWriteMount(t, Options{})
	got := m.added(func() {
		err := os.WriteFile(filepath.Join(m.dir, nameName), bytes.Repeat([]byte("x"), 5000), 0o644)
		assert.ErrorIs(t, err, syscall.EFBIG)
	})
	assert.Empty(t, got)
	long := strings.Repeat("x", 4096)
	got = m.added(func() {
		assert.NoError(t, os.WriteFile(filepath.Join(m.dir, nameName), []byte(long+"\n"), 0o644))
	})
	assert.Equal(t, []string{namedAs(long)}, got)
}

// TestRecursiveRemoval removes more than a name or a label, as a careless user
// does: nothing is lost.
func TestRecursiveRemoval(t *testing.T) {
	for _, o := range []Options{{}, {AllowDelete: true}} {
		m := newWriteMount(t, o)
		_, err := shell(t, m.dir, "bash", `echo Named > name; touch labels/L; echo b > labels/M`)
		require.NoError(t, err)
		before := m.settled()
		for _, line := range []string{`rm -rf "$PWD"`, `rm -r ../*`, `rm -rf "$ROOT"`, `find . -delete`, `find "$ROOT" -delete`} {
			t.Setenv("ROOT", m.root)
			_, err := shell(t, m.dir, "bash", line)
			assert.Error(t, err, line)
			assert.Equal(t, string(before), string(m.settled()), line)
		}
		_, err = shell(t, m.dir, "bash", `rm name && rm labels/L`)
		assert.NoError(t, err, "what is meant goes on working")
		assert.Equal(t, []string{"M"}, m.labels())
	}
}

// TestStandingInSession names a session of an old version, which migrates it, from
// within its directory.
func TestStandingInSession(t *testing.T) {
	_, at := oldSession(t, "v1-linear", Options{})
	out, err := shell(t, at, "bash", `
cat transcript.md > /dev/null && ls entries branches labels > /dev/null
echo Named > name && cat name && touch labels/good && ls labels && cat current/context.md | grep -c '^## ' && ls entries | wc -l`)
	require.NoError(t, err, out)
	assert.Equal(t, "Named\ngood\n4\n12", out)
}

// TestSeenAtOnce looks right after what leaves a file empty.
func TestSeenAtOnce(t *testing.T) {
	m := newWriteMount(t, Options{})
	out, err := shell(t, m.dir, "bash", `
for i in $(seq 40); do
  touch labels/g && cat labels/g >/dev/null && : > labels/g && [ ! -e labels/g ] || echo "touch $i"
  echo x > name && : > name && [ -z "$(cat name)" ] || echo "name $i"
  touch labels/h && rm labels/h || echo "rm $i"
done`)
	require.NoError(t, err)
	assert.Empty(t, out)
}
