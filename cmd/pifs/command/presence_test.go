package command

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPresence(t *testing.T) {
	m := mountEntry{device: "0:test", owner: uint32(os.Geteuid())}
	assert.Nil(t, findPresence(m), "nobody listens")
	var nobody *presence
	nobody.wait(time.Hour)
	nobody.close()

	listener, err := net.ListenUnix("unix", presenceAddress(m))
	require.NoError(t, err)
	defer listener.Close()
	p := findPresence(m)
	require.NotNil(t, p)
	defer p.close()
	p.wait(time.Millisecond) // it lives, and is not waited for any longer
	served := make(chan struct{})
	go func() {
		defer close(served)
		if conn, err := listener.AcceptUnix(); err == nil {
			conn.Close()
		}
	}()
	p.wait(time.Hour)
	<-served

	m.owner++
	assert.Nil(t, findPresence(m), "another user's process, whatever it calls itself")
}
