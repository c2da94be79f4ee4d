package fs

import (
	"context"
	"errors"
	"io"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// edgeStore is the folder of odd session files, sampleStore the store that the
// command carries.
const (
	edgeStore   = "../testdata/edge"
	sampleStore = "../cmd/pifs/sample/sessions"
)

// newTree returns the tree of stores, which are not watched.
func newTree(t *testing.T, o Options, dirs ...string) *Tree {
	t.Helper()
	st, err := store.Open(context.Background(), dirs, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, st.Close()) })
	return New(st, o)
}

// visit calls f with each node below a directory, listed ones only.
func visit(t *testing.T, d Dir, at string, f func(name string, n Node)) {
	t.Helper()
	entries, err := d.Entries()
	require.NoError(t, err, at)
	for _, e := range entries {
		name := path.Join(at, e.Name)
		f(name, e.Node)
		if sub, ok := e.Node.(Dir); ok {
			visit(t, sub, name, f)
		}
	}
}

func TestIOFS(t *testing.T) {
	for _, dir := range []string{edgeStore, sampleStore} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tr := newTree(t, Options{}, dir)
			l := tr.layout()
			p := l.projects[0]
			require.NoError(t, fstest.TestFS(tr.FS(), p.name+"/"+p.seats[0].name+"/"+nameTranscript))
		})
	}
}

// TestNodes holds every node to what all nodes promise.
func TestNodes(t *testing.T) {
	for _, dir := range []string{edgeStore, sampleStore} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tr := newTree(t, Options{}, dir)
			assert.Greater(t, checkNodes(t, tr), 50)
			visit(t, tr.Root(), "", func(name string, n Node) {
				a, err := n.Attr()
				require.NoError(t, err, name)
				assert.Positive(t, a.MtimeMS, name)
			})
		})
	}
}

// checkNodes checks every node of a tree, and returns how many there are.
func checkNodes(t *testing.T, tr *Tree) int {
	t.Helper()
	inodes := make(map[uint64]string)
	visit(t, tr.Root(), "", func(name string, n Node) {
		_, err := n.Attr()
		require.NoError(t, err, name)
		assert.Empty(t, inodes[n.Ino()], "%s has the inode of another", name)
		inodes[n.Ino()] = name

		base := path.Base(name)
		assert.LessOrEqual(t, len(base), 255, name)
		assert.NotContains(t, base, "\x00", name)
		again, err := lookupPath(tr, name)
		require.NoError(t, err, name)
		assert.Equal(t, n, again, "%s is another node when it is looked up", name)
		byID, err := tr.Node(n.ID())
		require.NoError(t, err, name)
		assert.Equal(t, n, byID, "%s is another node by its ID", name)

		switch n := n.(type) {
		case File:
			checkFile(t, name, n)
		case Link:
			checkLink(t, tr, name, n)
		}
	})
	return len(inodes)
}

// lookupPath looks name up, following nothing.
func lookupPath(tr *Tree, name string) (Node, error) {
	n, _, err := ioFS{tr}.walk(name, false)
	return n, err
}

// checkFile reads a file whole and in odd pieces.
func checkFile(t *testing.T, name string, f File) {
	t.Helper()
	size, err := f.Size()
	require.NoError(t, err, name)
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<40))
	require.NoError(t, err, name)
	require.Len(t, text, int(size), name)
	if known, ok := f.KnownSize(); ok {
		assert.Equal(t, size, known, name)
	}
	for _, step := range []int64{7, 101} {
		for off := int64(0); off < size; off += size/5 + 1 {
			p := make([]byte, step)
			n, err := f.ReadAt(p, off)
			assert.True(t, err == nil || errors.Is(err, io.EOF), name)
			assert.Equal(t, string(text[off:min(off+step, size)]), string(p[:n]), "%s at %d", name, off)
		}
	}
	// JSON keeps the spelling of its strings, which may have raw C1 characters, and
	// a cwd is shown exactly.
	if !strings.Contains(name, "/"+nameImages+"/") && path.Ext(name) != ".json" && path.Base(name) != nameCwd {
		assertText(t, name, text)
	}
}

// assertText holds what is shown to being text.
func assertText(t *testing.T, name string, text []byte) {
	t.Helper()
	for _, r := range string(text) {
		if r == '\n' || r == '\t' {
			continue
		}
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			assert.Failf(t, "control character", "%s has %U", name, r)
			return
		}
	}
}

// checkLink follows a link.
func checkLink(t *testing.T, tr *Tree, name string, l Link) {
	t.Helper()
	target, err := l.Target()
	require.NoError(t, err, name)
	if path.IsAbs(target) {
		_, err := os.Stat(target)
		assert.NoError(t, err, name)
		return
	}
	_, err = lookupPath(tr, path.Join(path.Dir(name), target))
	assert.NoError(t, err, "%s -> %s", name, target)
}

// TestSameAfterRemount holds inode numbers, dates, sizes and names to be the same
// in another tree over the same store.
func TestSameAfterRemount(t *testing.T) {
	list := func() map[string]string {
		tr := newTree(t, Options{}, edgeStore)
		all := make(map[string]string)
		visit(t, tr.Root(), "", func(name string, n Node) {
			i, err := newInfo(name, n)
			require.NoError(t, err)
			all[name] = iofs.FormatFileInfo(i) + " " + strconv.FormatUint(n.Ino(), 16)
		})
		return all
	}
	assert.Equal(t, list(), list())
}

// TestContexts compares context.json with the library's own function, and
// context.md and transcript.md with the entries' texts, for every entry.
func TestContexts(t *testing.T) {
	tr := newTree(t, Options{}, edgeStore, sampleStore)
	for _, p := range tr.layout().projects {
		for _, st := range p.seats {
			v, err := st.session.View()
			require.NoError(t, err)
			var entries []model.Entry
			require.NoError(t, v.Each(all(v, func(model.Kind) bool { return true }), func(_ int, e *model.Entry) error {
				entries = append(entries, model.DecodeEntry(append(model.Value(nil), e.Raw...)))
				return nil
			}))
			for i := range v.Tree.Len() {
				dir := path.Join(p.name, st.name, nameBranches, entryName(v, uint32(i)))
				got, err := iofs.ReadFile(tr.FS(), path.Join(dir, nameContextJSON))
				require.NoError(t, err)
				// pi takes "" as "at the leaf", and can't be asked for entries without id.
				if v.Tree.ID(i) == "" || v.Tree.Shadowed(i) || strings.HasPrefix(v.Tree.ID(i), "line-") {
					assert.True(t, model.Valid(got), dir)
					continue
				}
				want := tree.BuildSessionContext(entries, v.Tree.ID(i))
				assert.JSONEq(t, string(want), string(got), dir)
			}
		}
	}
}

// BenchmarkPathList lists a path of 1,000 entries with what readdir needs.
func BenchmarkPathList(b *testing.B) {
	dir := b.TempDir()
	writeMany(b, filepath.Join(dir, "s.jsonl"), 1000, func(i int) int { return i - 1 })
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(b, err)
	defer st.Close()
	path := dirAt(b, New(st, Options{}), "p/s/current/path")
	b.ReportAllocs()
	for b.Loop() {
		list, err := path.Entries()
		require.NoError(b, err)
		for _, e := range list {
			_ = e.Node.Ino()
		}
	}
}
