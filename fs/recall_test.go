package fs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// TestLengthsKept asks for lengths that an earlier process has kept, of sessions that
// have grown since.
func TestLengthsKept(t *testing.T) {
	dir, memory := copyStore(t, edgeStore), filepath.Join(t.TempDir(), "cache", "sessions.json")
	atRest(t, dir)
	lengths := func(more bool) (lengths []string, renders int64) {
		st, err := store.Open(context.Background(), []string{dir}, store.Options{Memory: memory})
		require.NoError(t, err)
		defer st.Close()
		tr := New(st, Options{})
		defer tr.Rest()
		for _, x := range st.Sessions() {
			s := tr.session(x)
			v, _, err := s.view()
			require.NoError(t, err)
			files := []assembly{transcriptFile{s}}
			for _, at := range v.Tree.Branches() {
				files = append(files, contextFile{s, kindContext, uint32(at)}, contextFile{s, kindContextJSON, uint32(at)})
			}
			for _, f := range files {
				size, err := f.size()
				require.NoError(t, err)
				lengths = append(lengths, fmt.Sprintf("%s %x %d", x.Rel, f.ID(), size))
			}
			c, err := transcriptFile{s}.composite()
			require.NoError(t, err)
			if more {
				require.NoError(t, c.load(), "what is read is as long as was kept")
			}
		}
		return lengths, tr.stats.renders.Load()
	}
	first, renders := lengths(false)
	assert.NotZero(t, renders)
	second, renders := lengths(false)
	assert.Equal(t, first, second)
	assert.Zero(t, renders)
	third, _ := lengths(true)
	assert.Equal(t, first, third)

	appendTo(t, filepath.Join(dir, branchy+".jsonl"), userLine("new1", "d1", "new"))
	_, renders = lengths(false)
	assert.EqualValues(t, 1, renders, "one has been added")
}

// TestPiecesVersion holds that piecesVersion changes with what the forms make.
func TestPiecesVersion(t *testing.T) {
	st, err := store.Open(context.Background(), []string{edgeStore, sampleStore}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	tr := New(st, Options{})
	sum := sha256.New()
	for _, x := range st.Sessions() {
		s := tr.session(x)
		v, _, err := s.view()
		require.NoError(t, err)
		for _, p := range []*pieces{&s.fragments, &s.messages} {
			for i := range v.Tree.Len() {
				require.NoError(t, p.measure(v, []tree.Step{plainStep(int32(i))}))
				fmt.Fprintln(sum, x.Rel, p.what, i, p.plain[i].textBytes, p.plain[i].batch&(1<<pieceBits-1))
			}
		}
	}
	assert.Equal(t, "1 329e7346f08fecd91207560ac1b3c7fe81de8a1692d260ba8c8257fc5b9c3ce3", fmt.Sprint(piecesVersion, " ")+hex.EncodeToString(sum.Sum(nil)),
		"if lengths have changed, give piecesVersion the next number, and note the sum here")
}
