package fs

import (
	"io"
	iofs "io/fs"
)

// A Node is a directory, file or link of the tree. Nodes are small values made
// when asked for; they hold what they stand for and no state.
type Node interface {
	// ID names the node; the same node has the same ID at every call.
	ID() ID
	// Ino is the node's inode number, the same in every Tree over the store.
	Ino() uint64
	// Attr returns the node's attributes but a file's size. It may scan
	// sessions; it renders nothing.
	Attr() (Attr, error)
}

// A provisional node can tell what it is before the sessions that decide its
// date have been looked at.
type provisional interface {
	// provisional returns the Attr without the date.
	provisional() Attr
}

// A plentiful directory may have very many entries, few of which are ever looked
// at.
type plentiful interface{ plentiful() }

// A Dir is a directory.
type Dir interface {
	Node
	// Lookup returns the node called name, or ErrNotExist. It finds more than
	// Entries lists.
	Lookup(name string) (Node, error)
	// Entries lists the directory, without "." and "..".
	Entries() ([]Entry, error)
}

// A File is a file that can be read.
type File interface {
	Node
	// Size returns the exact length in bytes; it may have to render the file.
	Size() (int64, error)
	// KnownSize is Size if that is known without rendering.
	KnownSize() (sizeBytes int64, ok bool)
	io.ReaderAt
}

// A Link is a symbolic link.
type Link interface {
	Node
	Target() (string, error)
}

// An Entry is a node as it stands in a directory.
type Entry struct {
	Name string
	Node Node
}

// pick returns the node that a list calls name.
func pick(list []Entry, name string) (Node, error) {
	for _, e := range list {
		if e.Name == name {
			return e.Node, nil
		}
	}
	return nil, ErrNotExist
}

// Attr is what stat tells of a node, but for its size.
type Attr struct {
	Mode    iofs.FileMode // type and permission bits
	UID     uint32
	GID     uint32
	MtimeMS int64 // Unix milliseconds
}
