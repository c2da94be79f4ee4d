package store

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

func rels(s *Store) []string {
	var all []string
	for _, x := range s.Sessions() {
		all = append(all, x.Rel)
	}
	return all
}

func TestFindsSessions(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	at := func(rel string) string { return filepath.Join(dir, rel) }
	for _, rel := range []string{"flat.jsonl", "p/one.jsonl", "p-q/one.jsonl", "agents/x/sessions/deep.jsonl", "p/one.checkpoint.2.jsonl"} {
		write(t, at(rel), headerLine)
	}
	for _, rel := range []string{"p/one.jsonl.reset.1", "p/one.jsonl.deleted.2", "p/notes.txt", "p/one.jsonl.lock"} {
		write(t, at(rel), headerLine)
	}
	write(t, filepath.Join(elsewhere, "linked.jsonl"), headerLine)
	require.NoError(t, os.Symlink(elsewhere, at("link")))
	require.NoError(t, os.Symlink(elsewhere, at("later")+"-link"))                     // reached before link
	require.NoError(t, os.Symlink(dir, at("p/loop")))                                  // a loop
	require.NoError(t, os.Symlink(at("p/one.jsonl"), at("p/two.jsonl")))               // the same file
	require.NoError(t, os.Link(at("flat.jsonl"), at("z.jsonl")))                       // the same file
	require.NoError(t, os.Symlink(at("nowhere"), at("dangling.jsonl")))                // no file
	require.NoError(t, os.Symlink(at("nowhere"), at("dangling")))                      // of no interest
	require.NoError(t, os.Mkdir(at("folder.jsonl"), 0o755))                            // a directory
	write(t, at("folder.jsonl/in.jsonl"), headerLine)                                  //
	require.NoError(t, syscall.Mkfifo(at("fifo.jsonl"), 0o644))                        // must not block
	write(t, at("index.jsonl"), `{"id":"1","title":"an index"}`+"\n")                  // a look-alike
	write(t, at("events.jsonl"), `{"type":"agent_start"}`+"\n")                        // another
	write(t, at("array.jsonl"), "[]\n")                                                // another
	write(t, at("null.jsonl"), "null\n\n"+headerLine)                                  // pi skips what is false
	write(t, at("long.jsonl"), `{"x":"`+string(make([]byte, 100_000))+"\n"+headerLine) // and what is broken

	s := open(t, dir)
	assert.Equal(t, []string{
		"agents/x/sessions/deep.jsonl",
		"flat.jsonl",
		"folder.jsonl/in.jsonl",
		"later-link/linked.jsonl",
		"long.jsonl",
		"null.jsonl",
		"p-q/one.jsonl",
		"p/one.checkpoint.2.jsonl",
		"p/one.jsonl",
	}, rels(s))
	slots := map[uint32]bool{}
	for _, x := range s.Sessions() {
		assert.Equal(t, dir, x.Dir)
		assert.Equal(t, at(x.Rel), x.Path)
		assert.Equal(t, "/w", x.Cwd())
		assert.Equal(t, `"s"`, string(x.Header().ID))
		assert.Empty(t, x.ReadOnly())
		slots[x.Slot] = true
	}
	assert.Len(t, slots, len(s.Sessions()))
	assert.Equal(t, "deep", s.Sessions()[0].Name())
	assert.Equal(t, []Skipped{
		{at("array.jsonl"), "no session header: the first value is no object", false},
		{at("dangling.jsonl"), "cannot be read: no such file or directory", true},
		{at("events.jsonl"), `no session header: the first line is of type "agent_start"`, false},
		{at("fifo.jsonl"), "no regular file", false},
		{at("index.jsonl"), "no session header: the first line has no type", false},
	}, s.Skipped())
	assert.EqualValues(t, 1, s.Generation())
}

func TestSeveralDirectories(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write(t, a+"/x.jsonl", headerLine)
	write(t, a+"/in/y.jsonl", headerLine)
	write(t, b+"/x.jsonl", headerLine)
	s := open(t, b, a, a+"/in", a)
	assert.Equal(t, []string{"in/y.jsonl", "x.jsonl", "x.jsonl"}, rels(s))
	assert.Equal(t, a, s.Sessions()[1].Dir)
	assert.Equal(t, b, s.Sessions()[2].Dir)

	t.Chdir(a)
	assert.Equal(t, a+"/in/y.jsonl", open(t, "in").Sessions()[0].Path)
}

func TestUnreadable(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	dir := t.TempDir()
	write(t, dir+"/a.jsonl", headerLine)
	write(t, dir+"/p/b.jsonl", headerLine)
	write(t, dir+"/c.jsonl", headerLine)
	require.NoError(t, os.Chmod(dir+"/a.jsonl", 0))
	require.NoError(t, os.Chmod(dir+"/p", 0))
	t.Cleanup(func() { os.Chmod(dir+"/p", 0o755) })
	s := open(t, dir)
	assert.Equal(t, []string{"c.jsonl"}, rels(s))
	assert.Equal(t, []Skipped{
		{dir + "/a.jsonl", "cannot be read: permission denied", true},
		{dir + "/p", "cannot be read: permission denied", true},
	}, s.Skipped())
	require.NoError(t, os.Chmod(dir+"/a.jsonl", 0o600))
	require.NoError(t, os.Chmod(dir+"/p", 0o755))
	s.Rescan()
	assert.Equal(t, []string{"a.jsonl", "c.jsonl", "p/b.jsonl"}, rels(s))

	require.NoError(t, os.Chmod(dir+"/p", 0))
	for _, root := range []string{dir + "/p", dir + "/p/below"} {
		_, err := Open(context.Background(), []string{dir, root}, Options{})
		assert.ErrorIs(t, err, ErrNoStore, "it might hold sessions")
		assert.ErrorContains(t, err, root+" cannot be read: permission denied")
	}
}

func TestNoStore(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/file", "")
	write(t, dir+"/db/sessions.sqlite", "")
	write(t, dir+"/both/sessions.db", "")
	write(t, dir+"/both/a.jsonl", "")
	for path, says := range map[string]string{
		"/none": "/none does not exist",
		"/file": "/file is no directory",
		"/db":   "there is only a database, " + dir + "/db/sessions.sqlite",
	} {
		_, err := Open(context.Background(), []string{dir + path}, Options{})
		assert.ErrorIs(t, err, ErrNoStore)
		assert.ErrorContains(t, err, says)
	}
	assert.Empty(t, open(t, dir+"/both").Sessions())
	assert.Empty(t, open(t, t.TempDir()).Sessions(), "a store without sessions is one")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Open(ctx, []string{dir + "/both"}, Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

// TestSurveyIsCached holds that a directory that has not changed is not read again,
// and one that has is.
func TestSurveyIsCached(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/p/a.jsonl", headerLine)
	write(t, dir+"/q/a.jsonl", headerLine)
	rest(t, dir+"/p")
	rest(t, dir+"/q")
	s := open(t, dir)
	kept := s.survey.listings[dir+"/p"]
	write(t, dir+"/q/b.jsonl", headerLine)
	s.Rescan()
	assert.Same(t, kept, s.survey.listings[dir+"/p"])
	assert.Equal(t, []string{"p/a.jsonl", "q/a.jsonl", "q/b.jsonl"}, rels(s))
	assert.EqualValues(t, 3, s.Stats().Heads)
}
