package command

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The daemon of a mount listens on a socket that is named after the mount. It says
// nothing there: who is connected learns that the daemon's process has ended, as the
// kernel then closes the connection, whatever that process died of. Such sockets are
// no files, and leave nothing behind.

// presenceAddress returns the abstract socket of the daemon of a mount. The device
// alone would not do: the next mount anywhere can have it before the daemon has ended.
func presenceAddress(m mountEntry) *net.UnixAddr {
	where := fnv.New64a()
	io.WriteString(where, m.mountpoint)
	return &net.UnixAddr{Name: fmt.Sprintf("@pifs-%s-%x", m.device, where.Sum64()), Net: "unix"}
}

// presenceInterval is how often a name is tried that the daemon of the mount before
// at the same place still has.
const presenceInterval = 50 * time.Millisecond

// showPresence listens for the mount at dir until the process ends, not only run:
// what is deferred there is waited for as well. Where it can't, nobody waits.
func showPresence(dir string) {
	all, err := mounts()
	if err != nil {
		return
	}
	m, ok := topMount(all, dir)
	if !ok {
		return
	}
	listener, err := net.ListenUnix("unix", presenceAddress(m))
	go func() {
		for errors.Is(err, syscall.EADDRINUSE) {
			time.Sleep(presenceInterval)
			listener, err = net.ListenUnix("unix", presenceAddress(m))
		}
		if err == nil {
			acceptAll(listener)
		}
	}()
}

func acceptAll(listener *net.UnixListener) {
	for {
		conn, err := listener.AcceptUnix()
		if err != nil {
			return
		}
		go keepConnected(conn)
	}
}

// keepConnected keeps the connections of root and of our own user until they leave.
func keepConnected(conn *net.UnixConn) {
	defer conn.Close()
	if uid, err := peerOf(conn); err == nil && (uid == 0 || int(uid) == unix.Geteuid()) {
		io.Copy(io.Discard, conn)
	}
}

// A presence is the connection to the daemon of a mount. It is nil if there is none.
type presence struct{ conn *net.UnixConn }

// findPresence connects to the daemon of a mount, if that is the mount's owner's.
func findPresence(m mountEntry) *presence {
	conn, err := net.DialUnix("unix", nil, presenceAddress(m))
	if err != nil {
		return nil
	}
	if uid, err := peerOf(conn); err != nil || uid != m.owner {
		conn.Close()
		return nil
	}
	return &presence{conn}
}

// wait returns when the daemon's process has ended, or after a while.
func (p *presence) wait(patience time.Duration) {
	if p == nil {
		return
	}
	if p.conn.SetReadDeadline(time.Now().Add(patience)) == nil {
		io.Copy(io.Discard, p.conn)
	}
}

func (p *presence) close() {
	if p != nil {
		p.conn.Close()
	}
}

// peerOf returns the user at the other end.
func peerOf(conn *net.UnixConn) (uid uint32, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err = errors.Join(err, failed); err != nil {
		return 0, err
	}
	return peer.Uid, nil
}
