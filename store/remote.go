package store

import "golang.org/x/sys/unix"

// remoteTypes are the file systems where files change without this kernel knowing,
// so that inotify is silent: those of networks and of other programs, and overlays,
// whose lower layers are watched and upper layers written.
var remoteTypes = map[int64]bool{
	unix.NFS_SUPER_MAGIC:       true,
	unix.SMB_SUPER_MAGIC:       true,
	unix.SMB2_SUPER_MAGIC:      true,
	unix.CIFS_SUPER_MAGIC:      true,
	unix.AFS_FS_MAGIC:          true,
	unix.AFS_SUPER_MAGIC:       true,
	unix.CODA_SUPER_MAGIC:      true,
	unix.CEPH_SUPER_MAGIC:      true,
	unix.OCFS2_SUPER_MAGIC:     true,
	unix.V9FS_MAGIC:            true,
	unix.FUSE_SUPER_MAGIC:      true, // virtiofs, sshfs, rclone too
	unix.OVERLAYFS_SUPER_MAGIC: true,
	0x01161970:                 true, // gfs2
	0x0BD00BD0:                 true, // lustre
	0x47504653:                 true, // gpfs
	0x786F4256:                 true, // vboxsf
	0xBACBACBC:                 true, // vmhgfs
}

// isRemote tells whether path is on such a file system, or may be.
func isRemote(path string) bool {
	var st unix.Statfs_t
	err := ignoringEINTR(func() error { return unix.Statfs(path, &st) })
	return err != nil || remoteTypes[int64(uint32(st.Type))]
}
