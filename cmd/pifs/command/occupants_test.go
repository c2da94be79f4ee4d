package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOccupants(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	assert.Empty(t, occupants(dir))

	file, err := os.Create(filepath.Join(dir, "open"))
	require.NoError(t, err)
	defer file.Close()
	assert.Empty(t, occupants(dir), "this process is not in its own way")

	cmd := exec.Command("cat")
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		assert.NoError(t, cmd.Wait())
	})
	inside := occupants(dir)
	require.Len(t, inside, 1)
	assert.Equal(t, cmd.Process.Pid, inside[0].pid)
	assert.Equal(t, dir, inside[0].path)
	assert.NotEmpty(t, inside[0].name)
}

func TestDescribe(t *testing.T) {
	o := occupant{12, "bash", "/mnt/pi"}
	assert.Equal(t, "bash (process 12) in /mnt/pi", describe([]occupant{o}))
	assert.Contains(t, describe([]occupant{o, o, o, o, o}), "and 2 more")
	assert.Contains(t, describe(nil), "can't be seen")
}
