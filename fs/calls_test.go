package fs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/needs"
)

// TestErrorNumbers makes calls that fail in a way of their own, not because nothing can
// be changed there.
func TestErrorNumbers(t *testing.T) {
	m := newWriteMount(t, Options{})
	out, err := shell(t, m.dir, "bash", `echo a > labels/A; echo b > labels/B`)
	require.NoError(t, err, out)
	at := func(name string) string { return filepath.Join(m.dir, name) }
	rename := func(from, to string, flags uint) error {
		return unix.Renameat2(unix.AT_FDCWD, at(from), unix.AT_FDCWD, at(to), flags)
	}
	titles := filepath.Join(m.root, "edge-demo/by-title")
	for _, row := range []struct {
		what string
		err  error
		want syscall.Errno
	}{
		{"a project that is not there", open(filepath.Join(m.root, "nobody"), syscall.O_RDONLY), syscall.ENOENT},
		{"a session that is not there", open(filepath.Join(m.root, "edge-demo/none"), syscall.O_RDONLY), syscall.ENOENT},
		{"a file that is not there", open(at("nothing"), syscall.O_RDONLY), syscall.ENOENT},
		{"a label that is not there", open(at("labels/C"), syscall.O_RDONLY), syscall.ENOENT},
		{"the label of an entry without one", open(at("labels/c1"), syscall.O_RDONLY), syscall.ENOENT},
		{"a branch that is no entry", open(at("branches/zz"), syscall.O_RDONLY), syscall.ENOENT},
		{"an entry that is not there", open(at("entries/zz.md"), syscall.O_RDONLY), syscall.ENOENT},
		{"an entry without a suffix", open(at("entries/a"), syscall.O_RDONLY), syscall.ENOENT},
		{"an image that is not there", open(at("images/a-1.png"), syscall.O_RDONLY), syscall.ENOENT},
		{"a step of another entry", open(at("branches/d1/path/0001-user-b.md"), syscall.O_RDONLY), syscall.ENOENT},
		{"a file as a directory", open(at("name/x"), syscall.O_RDONLY), syscall.ENOTDIR},
		{"a file opened as a directory", open(at("name"), syscall.O_DIRECTORY), syscall.ENOTDIR},
		{"a directory opened for writing", open(at("labels"), syscall.O_WRONLY), syscall.EISDIR},
		{"a link not followed", open(at("current"), syscall.O_NOFOLLOW), syscall.ELOOP},
		{"a link read that is none", readlink(at("name")), syscall.EINVAL},
		{"a label made that is there", open(at("labels/A"), syscall.O_CREAT|syscall.O_EXCL|syscall.O_WRONLY), syscall.EEXIST},
		{"a label that is no UTF-8", open(at("labels/\xff"), syscall.O_CREAT|syscall.O_WRONLY), syscall.EINVAL},
		{"a label with a % that is none", open(at("labels/50%zz"), syscall.O_CREAT|syscall.O_WRONLY), syscall.EINVAL},
		{"a link to no entry", syscall.Symlink("../entries/zz.json", at("labels/C")), syscall.EINVAL},
		{"a label renamed that is not there", rename("labels/C", "labels/D", 0), syscall.ENOENT},
		{"a label renamed to an entry's", rename("labels/A", "labels/c1", 0), syscall.EPERM},
		{"an entry's label renamed", rename("labels/a", "labels/C", 0), syscall.EPERM},
		{"a label renamed to an editor's name", rename("labels/A", "labels/A~", 0), syscall.EPERM},
		{"a label renamed to one that is there, if it is not", rename("labels/A", "labels/B", unix.RENAME_NOREPLACE), syscall.EEXIST},
		{"labels exchanged", rename("labels/A", "labels/B", unix.RENAME_EXCHANGE), syscall.EINVAL},
		{"a label moved away", rename("labels/A", "A", 0), syscall.EPERM},
		{"the name moved among the labels", rename("name", "labels/name", 0), syscall.EPERM},
		{"a title that is no UTF-8", syscall.Rename(filepath.Join(titles, "question"), filepath.Join(titles, "\xff")), syscall.EINVAL},
		{"a title moved away", syscall.Rename(filepath.Join(titles, "question"), at("question")), syscall.EPERM},
		{"a label removed that is not there", syscall.Unlink(at("labels/C")), syscall.ENOENT},
		{"a directory removed as a file", syscall.Unlink(at("labels")), syscall.EISDIR},
		{"a file removed as a directory", syscall.Rmdir(at("name")), syscall.ENOTDIR},
		{"the name made longer", syscall.Truncate(at("name"), 10), syscall.EPERM},
		{"a file moved to another file system", syscall.Rename(m.file, at("name")), syscall.EXDEV},
	} {
		assert.ErrorIs(t, row.err, row.want, row.what)
	}
}

func readlink(path string) error {
	_, err := syscall.Readlink(path, make([]byte, 100))
	return err
}

// TestTitleTaken gives a session a title that another one has.
func TestTitleTaken(t *testing.T) {
	dir := t.TempDir()
	writeSession(t, filepath.Join(dir, "a.jsonl"), "1", "/p", "", userLine("u", "", "one"))
	writeSession(t, filepath.Join(dir, "b.jsonl"), "2", "/p", "", userLine("u", "", "two"))
	titles := filepath.Join(mount(t, Options{}, dir), "p/by-title")
	assert.ErrorIs(t, os.Rename(filepath.Join(titles, "one"), filepath.Join(titles, "two")), syscall.EEXIST)
	require.NoError(t, os.Rename(filepath.Join(titles, "one"), filepath.Join(titles, "three")))
	_, err := os.Lstat(filepath.Join(titles, "three"))
	assert.NoError(t, err)
}

// TestRefusedAtOpen holds that what can be known to be wrong is said before anything is
// written: shells do not look at later errors.
func TestRefusedAtOpen(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	m := newWriteMount(t, Options{AllowDelete: true})
	out, err := shell(t, m.dir, "bash", `echo a > labels/A`)
	require.NoError(t, err, out)
	lock, away := m.file+".lock", m.file+".away"
	for _, row := range []struct {
		what       string
		begin, end func() error
		want       syscall.Errno
	}{
		{
			"another program's lock", func() error { return os.Mkdir(lock, 0o700) },
			func() error { return os.Remove(lock) }, syscall.EBUSY,
		},
		{
			"a file that may not be written", func() error { return os.Chmod(m.file, 0o444) },
			func() error { return os.Chmod(m.file, 0o644) }, syscall.EACCES,
		},
		{
			"a file that is gone", func() error { return os.Rename(m.file, away) },
			func() error { return os.Rename(away, m.file) }, syscall.ESTALE,
		},
	} {
		before := m.bytes()
		require.NoError(t, row.begin())
		at := func(name string) string { return filepath.Join(m.dir, name) }
		for what, err := range map[string]error{
			"open":     open(at("name"), syscall.O_WRONLY),
			"truncate": syscall.Truncate(at("name"), 0),
			"create":   open(at("labels/new"), syscall.O_CREAT|syscall.O_WRONLY),
			"symlink":  syscall.Symlink("../entries/a.json", at("labels/new")),
			"rename":   syscall.Rename(at("labels/A"), at("labels/new")),
			"unlink":   syscall.Unlink(at("labels/A")),
		} {
			// A file that is gone may be known to be gone by then.
			if row.want != syscall.ESTALE || err != syscall.ENOENT {
				assert.Equal(t, row.want, err, "%s: %s", row.what, what)
			}
		}
		if row.want == syscall.EBUSY {
			assert.Equal(t, row.want, syscall.Rmdir(m.dir))
		}
		require.NoError(t, row.end())
		assert.Equal(t, string(before), string(m.settled()), row.what)
	}
}

// TestIgnored holds that mode, owner and times of what can be written are accepted and
// ignored, as editors and `cp -p` want it.
func TestIgnored(t *testing.T) {
	m := newWriteMount(t, Options{})
	out, err := shell(t, m.dir, "bash", `echo a > labels/A`)
	require.NoError(t, err, out)
	assert.Empty(t, m.added(func() {
		for _, name := range []string{"name", "labels/A", "labels/a"} {
			path := filepath.Join(m.dir, name)
			before, err := os.Stat(path)
			require.NoError(t, err)
			assert.NoError(t, os.Chmod(path, 0o600))
			assert.NoError(t, os.Chown(path, os.Getuid(), os.Getgid()))
			assert.NoError(t, os.Chtimes(path, time.Now(), time.Now()))
			out, err := shell(t, m.dir, "bash", "touch "+name)
			assert.NoError(t, err, out)
			after, err := os.Stat(path)
			require.NoError(t, err)
			assert.Equal(t, before.Mode(), after.Mode())
			assert.Equal(t, before.ModTime(), after.ModTime())
		}
	}))
}

// TestAccess asks access(2), which the kernel leaves to the file system.
func TestAccess(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		m := newWriteMount(t, Options{ReadOnly: readOnly})
		refused, written := error(syscall.EACCES), error(nil)
		if readOnly {
			refused, written = syscall.EROFS, syscall.EROFS
		}
		for name, want := range map[string]struct{ write, execute error }{
			"name":          {written, syscall.EACCES},
			"labels":        {written, nil},
			"info.json":     {refused, syscall.EACCES},
			"branches":      {refused, nil},
			"entries/a.md":  {refused, syscall.EACCES},
			"transcript.md": {refused, syscall.EACCES},
		} {
			path := filepath.Join(m.dir, name)
			assert.NoError(t, unix.Access(path, unix.R_OK), name)
			assert.Equal(t, want.write, unix.Access(path, unix.W_OK), name)
			assert.Equal(t, want.execute, unix.Access(path, unix.X_OK), name)
		}
	}
}

// TestOtherCalls makes calls for which a file system has an answer of its own.
func TestOtherCalls(t *testing.T) {
	m := newWriteMount(t, Options{})
	name := filepath.Join(m.dir, nameName)
	var st unix.Statfs_t
	require.NoError(t, unix.Statfs(m.root, &st))
	assert.EqualValues(t, 0, st.Bfree, "nothing can be added")
	assert.EqualValues(t, 1, st.Files)
	assert.EqualValues(t, 255, st.Namelen)
	assert.Positive(t, st.Blocks)
	assert.Positive(t, st.Bsize)

	for _, path := range []string{m.root, m.dir, name, filepath.Join(m.dir, nameCurrent)} {
		var st unix.Stat_t
		require.NoError(t, unix.Lstat(path, &st))
		assert.EqualValues(t, 1, st.Nlink, path)
		assert.Equal(t, st.Mtim, st.Atim, path)
		assert.Equal(t, st.Mtim, st.Ctim, path)
	}
	out, err := shell(t, m.dir, "bash", "ls -ai | head -n 2")
	require.NoError(t, err)
	assert.Regexp(t, `^ *\d{3,} \.\n *\d{3,} \.\.$`, out)

	assert.Equal(t, syscall.EOPNOTSUPP, unix.Setxattr(name, "user.x", []byte("1"), 0))
	_, err = unix.Getxattr(name, "user.x", make([]byte, 10))
	assert.Equal(t, syscall.EOPNOTSUPP, err)

	f, err := os.OpenFile(name, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	assert.Equal(t, syscall.EOPNOTSUPP, unix.Fallocate(int(f.Fd()), 0, 0, 10))
	transcript, err := os.Open(filepath.Join(m.dir, nameTranscript))
	require.NoError(t, err)
	defer transcript.Close()
	at, err := unix.Seek(int(transcript.Fd()), 3, unix.SEEK_DATA)
	require.NoError(t, err, "holes are not looked for")
	assert.EqualValues(t, 3, at)
	info, err := transcript.Stat()
	require.NoError(t, err)
	mapped, err := unix.Mmap(int(transcript.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	require.NoError(t, err)
	assert.Equal(t, m.read(nameTranscript), string(mapped))
	require.NoError(t, unix.Munmap(mapped))
}

// TestDraft reads and changes a file through the descriptor that writes it. What was
// written is appended by fsync and close, nothing else.
func TestDraft(t *testing.T) {
	m := newWriteMount(t, Options{})
	f, err := os.OpenFile(filepath.Join(m.dir, nameName), os.O_RDWR, 0)
	require.NoError(t, err)
	assert.Empty(t, m.added(func() {
		_, err = f.WriteString("a draft\n")
		require.NoError(t, err)
		text := make([]byte, 100)
		n, _ := f.ReadAt(text, 0)
		assert.Equal(t, "a draft\n", string(text[:n]), "it reads back")
		assert.Empty(t, m.read(nameName), "others see what is so")
	}))
	assert.Equal(t, []string{namedAs("a draft")}, m.added(func() { require.NoError(t, f.Sync()) }))
	assert.Empty(t, m.added(func() { require.NoError(t, f.Sync()) }), "nothing was written since")
	assert.Equal(t, []string{namedAs("a dream")}, m.added(func() {
		_, err = f.WriteAt([]byte("eam\n"), 4)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}))
	assert.Equal(t, "a dream\n", m.read(nameName))
	assert.Equal(t, []string{namedAs("")}, m.added(func() {
		require.NoError(t, syscall.Truncate(filepath.Join(m.dir, nameName), 0))
	}), "without a descriptor")
}
