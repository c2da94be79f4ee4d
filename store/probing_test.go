package store

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManyFiles opens more files than the workers' queue holds, some of them no
// sessions, and sees one of them change.
func TestManyFiles(t *testing.T) {
	const files = 2 * probeBatch * probeQueue
	dir := t.TempDir()
	for i := range files {
		text := headerLine
		if i%3 == 0 {
			text = "{}\n"
		}
		write(t, filepath.Join(dir, fmt.Sprint(i%7), fmt.Sprintf("%05d.jsonl", i)), text)
	}
	s := open(t, dir)
	require.Len(t, s.Sessions(), files-len(s.Skipped()))
	assert.Len(t, s.Skipped(), (files+2)/3)
	assert.EqualValues(t, files, s.Stats().Heads)
	for i, x := range s.Sessions() {
		assert.EqualValues(t, i+1, x.Slot)
	}
	assert.True(t, slices.IsSortedFunc(s.Sessions(), func(a, b *Session) int { return cmp.Compare(a.Rel, b.Rel) }))

	x := s.Sessions()[files/2]
	view(t, x)
	add(t, x.Path, message(0, "more"))
	s.Rescan()
	assert.Equal(t, 1, view(t, x).Tree.Len())
	assert.EqualValues(t, files, s.Stats().Heads)
}
