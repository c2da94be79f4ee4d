package command

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

const devFuse = "/dev/fuse"

// errNoFusermount says that the helper which mounts for ordinary users is missing.
var errNoFusermount = errors.New("fusermount3 is missing")

// fuseMachine is what this machine has for mounting.
type fuseMachine struct {
	root       bool
	device     error  // of opening /dev/fuse
	forbidden  string // why this process may not mount, "" if nothing is seen
	helper     string // path of fusermount3, "" if there is none
	setuid     bool   // the helper may mount
	allowOther bool   // fuse.conf lets ordinary users use allow_other
	install    string // the command that installs the helper here
}

// inspectFuse looks at this machine.
func inspectFuse() fuseMachine {
	m := fuseMachine{root: os.Geteuid() == 0, install: installCommand("fuse3")}
	// fusermount3 is setuid root, but opens the device as the user who calls it.
	var device *os.File
	if device, m.device = os.OpenFile(devFuse, os.O_RDWR, 0); m.device == nil {
		device.Close()
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		m.forbidden = forbidden(string(status), m.root)
	}
	if helper, err := fusermount(); err == nil {
		m.helper = helper
		info, err := os.Stat(helper)
		m.setuid = err == nil && info.Mode()&os.ModeSetuid != 0
	}
	if conf, err := os.ReadFile("/etc/fuse.conf"); err == nil {
		for line := range strings.Lines(string(conf)) {
			m.allowOther = m.allowOther || strings.TrimSpace(line) == "user_allow_other"
		}
	}
	return m
}

// missing returns what keeps this machine from mounting, with what to do about
// it. nil if nothing is seen; the system may still refuse.
func (m fuseMachine) missing() error {
	switch {
	case errors.Is(m.device, iofs.ErrNotExist):
		return errors.New("there is no /dev/fuse: load the module (as root: modprobe fuse); " +
			"start a container with --device /dev/fuse --cap-add SYS_ADMIN")
	case errors.Is(m.device, iofs.ErrPermission) && m.root:
		return errors.New("/dev/fuse may not be opened (permission denied): " +
			"start the container with --device /dev/fuse --cap-add SYS_ADMIN")
	case errors.Is(m.device, iofs.ErrPermission):
		return errors.New("/dev/fuse may not be opened by ordinary users (permission denied): " +
			"it usually may, with mode 0666 (as root: chmod 666 /dev/fuse)")
	case errors.Is(m.device, syscall.ENODEV), errors.Is(m.device, syscall.ENXIO):
		return errors.New("/dev/fuse is there, but the kernel has no FUSE: load the module (as root: modprobe fuse)")
	case m.device != nil:
		return m.device
	case m.root && m.forbidden != "":
		return errors.New("this process may not mount, as " + m.forbidden)
	case !m.root && m.helper == "":
		return fmt.Errorf("%w, and only root can mount without it: %s", errNoFusermount, m.install)
	case !m.root && !m.setuid:
		return fmt.Errorf("%s may not mount, as it is not setuid root: chmod u+s %s (as root)", m.helper, m.helper)
	}
	if m.forbidden != "" {
		return errors.New("fusermount3 may not mount for this process, as " + m.forbidden)
	}
	return nil
}

// capSysAdmin is CAP_SYS_ADMIN, the right to mount, in a set of capabilities.
const capSysAdmin = 1 << 21

// forbidden returns why a process with this /proc/self/status may not mount: root by
// itself, others through a program that is setuid root.
func forbidden(status string, root bool) string {
	fields := map[string]string{}
	for line := range strings.Lines(status) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	set := "CapBnd" // what such a program can get
	if root {
		set = "CapEff"
	}
	capabilities, err := strconv.ParseUint(fields[set], 16, 64)
	switch {
	case err == nil && capabilities&capSysAdmin == 0:
		return "it has no capability SYS_ADMIN: start the container with --device /dev/fuse --cap-add SYS_ADMIN"
	case !root && fields["NoNewPrivs"] == "1":
		return "it may gain no privileges (no_new_privs): start it without that"
	}
	return ""
}

// missingForOthers is missing for a mount with --allow-other.
func (m fuseMachine) missingForOthers() error {
	if !m.root && !m.allowOther {
		return errors.New("--allow-other is for root, or for all if /etc/fuse.conf has the line user_allow_other: put it there (as root)")
	}
	return nil
}

// withoutFuse is what to do on a machine that can't mount.
const withoutFuse = "Without a mount, 'pifs ls', 'pifs cat' and 'pifs export' show the same tree."

// explainRefusal says what a failed mount means. The machine had all it needs.
func explainRefusal(err error, dir string) error {
	// go-fuse has no error to give for what fusermount3 has said to the user.
	byHelper := strings.Contains(err.Error(), "fusermount exited")
	switch {
	case byHelper:
		err = fmt.Errorf("fusermount3 refused to mount on %s (its words stand above): "+
			"the mountpoint must be writable for you; a container needs --cap-add SYS_ADMIN", dir)
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		err = fmt.Errorf("the system does not let this process mount on %s: %w: "+
			"a container needs --cap-add SYS_ADMIN, and AppArmor or SELinux may forbid it", dir, err)
	default:
		err = fmt.Errorf("mounting on %s failed: %w", dir, err)
	}
	return fmt.Errorf("%w. %s", err, withoutFuse)
}

// installCommand returns the command that installs a package here, by the
// package manager that this machine has.
func installCommand(pkg string) string {
	for _, manager := range []struct{ name, command string }{
		{"apt-get", "sudo apt-get install " + pkg},
		{"dnf", "sudo dnf install " + pkg},
		{"pacman", "sudo pacman -S " + pkg},
		{"zypper", "sudo zypper install " + pkg},
		{"apk", "sudo apk add " + pkg},
	} {
		if _, err := exec.LookPath(manager.name); err == nil {
			return manager.command
		}
	}
	return "install the package " + pkg
}
