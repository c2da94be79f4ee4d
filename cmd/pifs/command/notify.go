package command

import (
	"net"
	"os"
)

// notifySystemd tells a service manager that waits for it (sd_notify(3),
// Type=notify) about the state of this process. Nothing happens without one.
func notifySystemd(state string) error {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: address, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte(state))
	return err
}
