package writeback_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// TestSessionDirs names directories as pi does.
func TestSessionDirs(t *testing.T) {
	t.Setenv("HOME", "/home/dev")
	t.Setenv("PI_CODING_AGENT_DIR", "")
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--home-dev-a-b--", writeback.DefaultSessionDir("/home/dev/a/b/"))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--home-dev-x--", writeback.DefaultSessionDir("~/x"))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/--C--a-b--", writeback.DefaultSessionDir(`/C:\a/b`))
	assert.Equal(t, "/home/dev/.pi/agent/sessions/----", writeback.DefaultSessionDir("/"))
	t.Setenv("PI_CODING_AGENT_DIR", "~/agent")
	assert.Equal(t, "/home/dev/agent/sessions/--x--", writeback.DefaultSessionDir("/x"))
}

// TestListWithoutStore lists nothing where nothing is.
func TestListWithoutStore(t *testing.T) {
	infos, err := writeback.List(t.Context(), "/x", filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	assert.Empty(t, infos)
}
