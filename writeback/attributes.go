package writeback

import (
	"bytes"
	"os"

	"golang.org/x/sys/unix"
)

// copyAttributes gives to the owner, mode and extended attributes of from, ACLs
// included. What the caller may not set is left as it is, but never so that to is
// more readable than from.
func copyAttributes(from, to *os.File) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(from.Fd()), &st); err != nil {
		return err
	}
	// The owner comes first: chown drops set-id bits, and giving a file away ends
	// the right to change its mode. One who may not give it away may still be able
	// to give it the group.
	mode := st.Mode & 0o7777
	if unix.Fchown(int(to.Fd()), int(st.Uid), int(st.Gid)) != nil &&
		unix.Fchown(int(to.Fd()), -1, int(st.Gid)) != nil {
		mode &^= 0o070
	}
	copyExtended(int(from.Fd()), int(to.Fd()))
	return unix.Fchmod(int(to.Fd()), mode)
}

// copyExtended copies the extended attributes that can be copied: some file
// systems have none, and some attributes are the security module's own.
func copyExtended(from, to int) {
	names := make([]byte, 64<<10) // XATTR_LIST_MAX
	n, err := unix.Flistxattr(from, names)
	if err != nil {
		return
	}
	value := make([]byte, 64<<10) // XATTR_SIZE_MAX
	for name := range bytes.SplitSeq(names[:n], []byte{0}) {
		if len(name) == 0 {
			continue
		}
		if n, err := unix.Fgetxattr(from, string(name), value); err == nil {
			_ = unix.Fsetxattr(to, string(name), value[:n], 0)
		}
	}
}
