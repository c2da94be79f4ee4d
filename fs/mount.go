package fs

import (
	"context"
	"os"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// MountOptions of Mount.
type MountOptions struct {
	AllowOther bool // let other users in, as far as the modes allow
	Debug      bool // log every message of the kernel to standard error
}

// A Mount is a mounted tree.
type Mount struct {
	server *fuse.Server
	done   chan struct{}
}

// fsName is what mountinfo and df call the file system; its type is fuse.pifs.
const fsName = "pifs"

// Mount shows the tree at the directory mountpoint until it is unmounted. As root
// it needs no helper, for others fusermount3 must be there. It returns when the
// file system answers.
func (t *Tree) Mount(mountpoint string, o MountOptions) (*Mount, error) {
	front := &fuseFS{RawFileSystem: fuse.NewDefaultRawFileSystem(), t: t}
	front.refusals.lasts, front.removals.lasts = refusalTime, removalTime
	front.notices = newNotices(front)
	t.announce = front.notices.announce
	front.ahead = newAhead(t)
	// The layout is made while the system mounts, for which there may be a helper.
	arranged := make(chan *layout, 1)
	go func() { arranged <- t.layout() }()
	server, err := fuse.NewServer(front, mountpoint, t.fuseOptions(front, o))
	if err != nil {
		return nil, err
	}
	front.notices.layout = <-arranged
	m := &Mount{server: server, done: make(chan struct{})}
	stop := front.notices.follow()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		server.Serve()
		cancel()
		stop()
		t.keepLengths()
		close(m.done)
	}()
	if err := server.WaitMount(); err != nil {
		_ = server.Unmount()
		return nil, err
	}
	// Not earlier: the kernel's first requests would wait for a processor.
	front.ahead.run(ctx)
	return m, nil
}

// fuseOptions are the options of the mount.
func (t *Tree) fuseOptions(front *fuseFS, o MountOptions) *fuse.MountOptions {
	options := []string{"noexec"}
	flags := uintptr(syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC)
	root := os.Geteuid() == 0
	if t.options.ReadOnly {
		// Also keeps the kernel from asking for the attributes after each read,
		// for the sake of an access time. The mount call takes it as a flag, the
		// helper as a word.
		flags |= syscall.MS_RDONLY
		if !root {
			options = append(options, "ro")
		}
	}
	if o.AllowOther {
		options = append(options, "default_permissions")
	}
	return &fuse.MountOptions{
		FsName:               fsName,
		Name:                 fsName,
		AllowOther:           o.AllowOther,
		Options:              options,
		DirectMount:          root,
		DirectMountFlags:     flags,
		DisableXAttrs:        true,
		Debug:                o.Debug,
		EnableSymlinkCaching: true,                          // a link that leads elsewhere is another node
		ExtraCapabilities:    fuse.CAP_DIRECT_IO_ALLOW_MMAP, // of transcripts that grow
		PanicHandler:         front.panicked,
	}
}

// Wait returns when the file system is unmounted, by whomever.
func (m *Mount) Wait() { <-m.done }

// Unmount unmounts the file system; syscall.EBUSY if someone is inside.
func (m *Mount) Unmount() error { return m.server.Unmount() }
