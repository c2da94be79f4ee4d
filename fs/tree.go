package fs

import (
	iofs "io/fs"

	"github.com/pifs/pifs/store"
)

// Options of New.
type Options struct {
	CacheBytes  int64 // budget of all caches; 0 means 64 MiB
	ReadOnly    bool
	AllowDelete bool
	NoSync      bool
	Version     string // for .pifs/version
}

// Tree is the mounted tree over a store, whatever the front.
type Tree struct{}

// New returns the tree of a store.
func New(st *store.Store, o Options) *Tree { panic("todo") }

// FS returns the tree as an io/fs.FS (with ReadLink and Lstat).
func (t *Tree) FS() iofs.FS { panic("todo") }

// MountOptions of Mount.
type MountOptions struct {
	AllowOther bool
	Debug      bool
}

// Mount shows the tree at the directory mountpoint until Unmount.
func (t *Tree) Mount(mountpoint string, o MountOptions) (*Mount, error) { panic("todo") }

// Mount is a mounted tree.
type Mount struct{}

// Wait returns when the file system is unmounted, by whomever.
func (m *Mount) Wait() { panic("todo") }

// Unmount unmounts; EBUSY if someone is inside.
func (m *Mount) Unmount() error { panic("todo") }
