package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseMountinfo(t *testing.T) {
	const text = `22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 22 0:35 / /home/ada/my\040pi\134x rw,nosuid,nodev shared:7 master:1 - fuse.pifs pifs rw,user_id=1000,group_id=1000
41 22 0:36 / /mnt/one rw - tmpfs none rw
42 41 0:37 / /mnt/one rw - fuse.pifs pifs rw
not a line of it
43 22 0:38 / /odd\04 rw - fuse.\0432 none rw
`
	entries, err := parseMountinfo(strings.NewReader(text))
	require.NoError(t, err)
	assert.Equal(t, []mountEntry{
		{"254:0", "/", "ext4", 0},
		{"0:35", `/home/ada/my pi\x`, "fuse.pifs", 1000},
		{"0:36", "/mnt/one", "tmpfs", 0},
		{"0:37", "/mnt/one", "fuse.pifs", 0},
		{"0:38", `/odd\04`, "fuse.#2", 0},
	}, entries)

	top, ok := topMount(entries, "/mnt/one")
	assert.True(t, ok)
	assert.Equal(t, "fuse.pifs", top.fsType, "the last mount hides the earlier ones")
	_, ok = topMount(entries, "/mnt")
	assert.False(t, ok)
}

func TestUnmountable(t *testing.T) {
	own := uint32(os.Getuid())
	all := []mountEntry{{"0:1", "/", "ext4", 0}, {"0:2", "/mnt/own", fsType, own}, {"0:3", "/mnt/other", fsType, own + 4_000_000}, {"0:4", "/mnt/odd", "tmpfs", 0}}
	for path, message := range map[string]string{
		"/mnt/own/home-ada/latest": "/mnt/own/home-ada/latest is inside the mount at /mnt/own: pifs unmount /mnt/own",
		"/mnt/owned":               "nothing is mounted on /mnt/owned",
		"/mnt/odd":                 "what is mounted on /mnt/odd is not pifs, but tmpfs",
	} {
		_, err := unmountable(all, path)
		assert.EqualError(t, err, message)
	}
	m, err := unmountable(all, "/mnt/own")
	require.NoError(t, err)
	assert.Equal(t, all[1], m)

	assert.Empty(t, m.otherUser())
	assert.Equal(t, fmt.Sprint("user ", own+4_000_000), all[2].otherUser())
	if own != 0 {
		assert.Equal(t, "root", mountEntry{}.otherUser())
	}
}

func TestMountsOfThisProcess(t *testing.T) {
	entries, err := mounts()
	require.NoError(t, err)
	_, ok := topMount(entries, "/")
	assert.True(t, ok)
}
