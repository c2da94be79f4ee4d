package command

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMissing(t *testing.T) {
	deviceError := func(errno syscall.Errno) error { return &os.PathError{Op: "open", Path: devFuse, Err: errno} }
	for _, tt := range []struct {
		name    string
		machine fuseMachine
		want    string // "" for nothing
	}{
		{"root", fuseMachine{root: true}, ""},
		{"user", fuseMachine{helper: "/bin/fusermount3", setuid: true}, ""},
		{"no device", fuseMachine{root: true, device: deviceError(syscall.ENOENT)}, "there is no /dev/fuse"},
		{"device forbidden", fuseMachine{root: true, device: deviceError(syscall.EPERM)}, "may not be opened"},
		{"device denied", fuseMachine{device: deviceError(syscall.EACCES)}, "chmod 666 /dev/fuse"},
		{"no module", fuseMachine{root: true, device: deviceError(syscall.ENODEV)}, "modprobe fuse"},
		{"odd device", fuseMachine{root: true, device: deviceError(syscall.EIO)}, "input/output error"},
		{"no helper", fuseMachine{install: "sudo apt-get install fuse3"}, "fusermount3 is missing, and only root can mount without it: sudo apt-get install fuse3"},
		{"root without the right", fuseMachine{root: true, forbidden: "it has none"}, "this process may not mount, as it has none"},
		{"user without the right", fuseMachine{helper: "/bin/fusermount3", setuid: true, forbidden: "it has none"}, "fusermount3 may not mount for this process, as it has none"},
		{"helper not setuid", fuseMachine{helper: "/bin/fusermount3"}, "chmod u+s /bin/fusermount3"},
	} {
		err := tt.machine.missing()
		if tt.want == "" {
			assert.NoError(t, err, tt.name)
		} else {
			assert.ErrorContains(t, err, tt.want, tt.name)
		}
	}
}

func TestForbidden(t *testing.T) {
	const (
		all  = "CapEff:\t000001ffffffffff\nCapBnd:\t000001ffffffffff\n"
		some = "CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\n" // a container's
		user = "CapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n"
	)
	for _, tt := range []struct {
		status     string
		root, user string
	}{
		{all, "", ""},
		{user, "SYS_ADMIN", ""},
		{some, "SYS_ADMIN", "SYS_ADMIN"},
		{user + "NoNewPrivs:\t1\n", "SYS_ADMIN", "no_new_privs"},
		{all + "NoNewPrivs:\t1\n", "", "no_new_privs"},
		{"", "", ""},
	} {
		for root, want := range map[bool]string{true: tt.root, false: tt.user} {
			if got := forbidden(tt.status, root); want == "" {
				assert.Empty(t, got, tt.status)
			} else {
				assert.Contains(t, got, want, tt.status)
			}
		}
	}
}

func TestMissingForOthers(t *testing.T) {
	assert.NoError(t, fuseMachine{root: true}.missingForOthers())
	assert.NoError(t, fuseMachine{allowOther: true}.missingForOthers())
	assert.ErrorContains(t, fuseMachine{}.missingForOthers(), "user_allow_other")
}

func TestExplainRefusal(t *testing.T) {
	assert.ErrorContains(t, explainRefusal(syscall.EPERM, "/mnt"), "SYS_ADMIN")
	assert.ErrorContains(t, explainRefusal(errors.New("fusermount exited with code 256\n"), "/mnt"), "must be writable for you")
	err := explainRefusal(syscall.EIO, "/mnt")
	assert.ErrorContains(t, err, "/mnt")
	assert.ErrorIs(t, err, syscall.EIO)
}
