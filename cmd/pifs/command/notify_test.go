package command

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNotifySystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	assert.NoError(t, notifySystemd("READY=1"), "no service manager")

	address := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: address, Net: "unixgram"})
	require.NoError(t, err)
	defer conn.Close()
	t.Setenv("NOTIFY_SOCKET", address)
	require.NoError(t, notifySystemd("READY=1"))
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	data := make([]byte, 100)
	n, err := conn.Read(data)
	require.NoError(t, err)
	assert.Equal(t, "READY=1", string(data[:n]))
}
