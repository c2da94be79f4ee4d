package fs

import (
	iofs "io/fs"

	"github.com/pifs/pifs/store"
)

// Permission bits. Nothing is more readable than its store file, so these are
// upper bounds for what is taken of the file's mode.
const (
	fileBits     = 0o444
	writableBits = 0o644
	dirBits      = 0o755
)

// fileMode is the mode of a file that shows a session file with permission bits
// mode.
func fileMode(mode uint32) iofs.FileMode { return iofs.FileMode(mode & fileBits) }

// dirMode is the mode of a directory that shows such a file: whoever may read
// the file may search the directory.
func dirMode(mode uint32) iofs.FileMode {
	search := mode & 0o444 >> 2
	return iofs.ModeDir | iofs.FileMode((mode|search)&dirBits)
}

// linkMode is the mode of every symbolic link; only its target's counts.
const linkMode = iofs.ModeSymlink | 0o777

// owned is an Attr with the owner of a store file.
func owned(st store.Stat, mode iofs.FileMode, mtimeMS int64) Attr {
	return Attr{Mode: mode, UID: st.UID, GID: st.GID, MtimeMS: mtimeMS}
}
