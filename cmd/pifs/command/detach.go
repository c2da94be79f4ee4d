package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// errBusy says that a mount is in use.
var errBusy = errors.New("in use")

// detach unmounts dir. Lazily, it goes out of sight at once, and those inside
// keep what they have until they leave. errBusy if someone is inside.
func detach(dir string, lazy bool) error {
	if os.Geteuid() != 0 {
		return detachAsUser(dir, lazy)
	}
	flags := unix.UMOUNT_NOFOLLOW
	if lazy {
		flags |= unix.MNT_DETACH
	}
	err := unix.Unmount(dir, flags)
	switch {
	case errors.Is(err, syscall.EBUSY):
		return errBusy
	case err != nil:
		return &os.PathError{Op: "unmount", Path: dir, Err: err}
	}
	return nil
}

// detachAsUser asks fusermount3, which alone may unmount for an ordinary user.
func detachAsUser(dir string, lazy bool) error {
	helper, err := fusermount()
	if err != nil {
		return err
	}
	args := []string{"-u"}
	if lazy {
		args = append(args, "-z")
	}
	cmd := exec.Command(helper, append(args, "--", dir)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err == nil {
		return nil
	}
	message := strings.TrimSpace(stderr.String())
	if strings.Contains(message, syscall.EBUSY.Error()) || strings.Contains(message, "Device or resource busy") {
		return errBusy
	}
	return fmt.Errorf("unmount %s: %s", dir, message)
}

// fusermount returns the path of the program that mounts and unmounts for
// ordinary users. It is also looked for where it is usually installed, as a
// service may have a short PATH.
func fusermount() (string, error) {
	for _, name := range []string{"fusermount3", "/usr/bin/fusermount3", "/bin/fusermount3", "fusermount", "/bin/fusermount"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoFusermount
}
