package tree

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

func TestRevision(t *testing.T) {
	b := &Builder{}
	line := 1
	add := func(text string) {
		t.Helper()
		f, ok := model.Scan([]byte(text))
		require.True(t, ok)
		line++
		b.Add(line, f)
	}
	add(`{"type":"custom","id":"a","parentId":"later"}`)
	add(`{"type":"custom","id":"a","parentId":null}`)
	assert.Zero(t, b.Tree().Revision(), "nobody has seen what was before the first tree")
	add(`{"type":"custom","id":"b","parentId":"a"}`)
	add(`{"type":"custom","id":"c","parentId":"d"}`)
	add(`{"type":"custom","id":"d","parentId":"b"}`)
	assert.Zero(t, b.Tree().Revision(), "what changed has not been shown")
	old := b.Tree()
	add(`{"type":"custom","id":"later","parentId":"b"}`)
	assert.Equal(t, 1, b.Tree().Revision(), "the parent of line 2 has come")
	add(`{"type":"custom","id":"b","parentId":"a"}`)
	assert.Equal(t, 2, b.Tree().Revision(), "line 4 has lost its id")
	assert.Zero(t, old.Revision())
}
