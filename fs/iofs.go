package fs

import (
	"io"
	iofs "io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// FS returns the tree as an io/fs.FS. It has ReadDir, ReadLink and Lstat, too;
// Open and Stat follow links within the tree, and those of session.jsonl to the
// store file, as the operating system would.
func (t *Tree) FS() iofs.FS { return ioFS{t} }

// ioFS is the front for programs in Go, and for the commands that need no mount.
type ioFS struct{ t *Tree }

var (
	_ iofs.ReadDirFS  = ioFS{}
	_ iofs.StatFS     = ioFS{}
	_ iofs.ReadLinkFS = ioFS{}
)

// maxLinks is how many links a path may go through, as in Linux.
const maxLinks = 40

// walk returns the node at name. It follows links, the last one only if follow.
// A link out of the tree ends the walk: rest is the path that it leads to.
func (f ioFS) walk(name string, follow bool) (n Node, outside string, err error) {
	var at []Dir // from below the root to the node reached
	n = f.t.Root()
	links := 0
	for todo := split(name); len(todo) > 0; {
		word := todo[0]
		todo = todo[1:]
		dir, ok := n.(Dir)
		if !ok {
			return nil, "", ErrNotExist
		}
		if word == ".." {
			if len(at) == 0 {
				return nil, "", iofs.ErrInvalid
			}
			n, at = at[len(at)-1], at[:len(at)-1]
			continue
		}
		next, err := dir.Lookup(word)
		if err != nil {
			return nil, "", err
		}
		link, isLink := next.(Link)
		if !isLink || (len(todo) == 0 && !follow) {
			at, n = append(at, dir), next
			continue
		}
		target, err := link.Target()
		if err != nil {
			return nil, "", err
		}
		if path.IsAbs(target) {
			return nil, path.Join(append([]string{target}, todo...)...), nil
		}
		if links++; links > maxLinks {
			return nil, "", iofs.ErrInvalid
		}
		todo = append(split(target), todo...)
	}
	return n, "", nil
}

// split returns the words of a path without "." ones.
func split(name string) []string {
	words := strings.Split(name, "/")
	kept := words[:0]
	for _, w := range words {
		if w != "" && w != "." {
			kept = append(kept, w)
		}
	}
	return kept
}

// find is walk for an operation of io/fs.
func (f ioFS) find(op, name string, follow bool) (Node, string, error) {
	if !iofs.ValidPath(name) {
		return nil, "", &iofs.PathError{Op: op, Path: name, Err: iofs.ErrInvalid}
	}
	n, outside, err := f.walk(name, follow)
	if err != nil {
		return nil, "", &iofs.PathError{Op: op, Path: name, Err: err}
	}
	return n, outside, nil
}

func (f ioFS) Open(name string) (iofs.File, error) {
	n, outside, err := f.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if outside != "" {
		return os.Open(outside)
	}
	info, err := newInfo(path.Base(name), n)
	if err != nil {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: err}
	}
	if d, ok := n.(Dir); ok {
		return &openDir{info: info, dir: d}, nil
	}
	file := n.(File)
	return &openFile{info: info, SectionReader: io.NewSectionReader(file, 0, info.size)}, nil
}

func (f ioFS) Stat(name string) (iofs.FileInfo, error) { return f.stat("stat", name, true) }

func (f ioFS) Lstat(name string) (iofs.FileInfo, error) { return f.stat("lstat", name, false) }

func (f ioFS) stat(op, name string, follow bool) (iofs.FileInfo, error) {
	n, outside, err := f.find(op, name, follow)
	if err != nil {
		return nil, err
	}
	if outside != "" {
		return os.Stat(outside)
	}
	info, err := newInfo(path.Base(name), n)
	if err != nil {
		return nil, &iofs.PathError{Op: op, Path: name, Err: err}
	}
	return info, nil
}

func (f ioFS) ReadLink(name string) (string, error) {
	n, _, err := f.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	link, ok := n.(Link)
	if !ok {
		return "", &iofs.PathError{Op: "readlink", Path: name, Err: iofs.ErrInvalid}
	}
	return link.Target()
}

func (f ioFS) ReadDir(name string) ([]iofs.DirEntry, error) {
	n, outside, err := f.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	d, ok := n.(Dir)
	if !ok || outside != "" {
		return nil, &iofs.PathError{Op: "readdir", Path: name, Err: syscall.ENOTDIR}
	}
	list, err := readDir(d)
	if err != nil {
		return nil, &iofs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return list, nil
}

// readDir lists a directory sorted by name, as io/fs wants it.
func readDir(d Dir) ([]iofs.DirEntry, error) {
	entries, err := d.Entries()
	if err != nil {
		return nil, err
	}
	list := make([]iofs.DirEntry, len(entries))
	for i, e := range entries {
		list[i] = dirEntry{e}
	}
	slices.SortFunc(list, func(a, b iofs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// dirEntry is an Entry as io/fs shows it.
type dirEntry struct{ e Entry }

func (d dirEntry) Name() string { return d.e.Name }

func (d dirEntry) IsDir() bool { return d.Type().IsDir() }

func (d dirEntry) Type() iofs.FileMode { return typeOf(d.e.Node) }

func (d dirEntry) Info() (iofs.FileInfo, error) { return newInfo(d.e.Name, d.e.Node) }

// typeOf is the type bits of a node's mode.
func typeOf(n Node) iofs.FileMode {
	switch n.(type) {
	case Dir:
		return iofs.ModeDir
	case Link:
		return iofs.ModeSymlink
	}
	return 0
}

// info is a node's stat as io/fs shows it.
type info struct {
	name string
	size int64
	attr Attr
}

// newInfo stats a node.
func newInfo(name string, n Node) (*info, error) {
	a, err := n.Attr()
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(n)
	if err != nil {
		return nil, err
	}
	return &info{name, size, a}, nil
}

// sizeOf is the exact size that stat tells of a node.
func sizeOf(n Node) (int64, error) {
	switch n := n.(type) {
	case File:
		return n.Size()
	case Link:
		target, err := n.Target()
		return int64(len(target)), err
	}
	return 0, nil
}

func (i *info) Name() string        { return i.name }
func (i *info) Size() int64         { return i.size }
func (i *info) Mode() iofs.FileMode { return i.attr.Mode }
func (i *info) ModTime() time.Time  { return time.UnixMilli(i.attr.MtimeMS) }
func (i *info) IsDir() bool         { return i.attr.Mode.IsDir() }

// Sys returns the node's Attr.
func (i *info) Sys() any { return i.attr }

// openFile is an open file of io/fs: it has the content that it had when opened.
type openFile struct {
	info *info
	*io.SectionReader
}

func (f *openFile) Stat() (iofs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error                 { return nil }

// openDir is an open directory of io/fs.
type openDir struct {
	info *info
	dir  Dir
	list []iofs.DirEntry
	read bool
}

func (d *openDir) Stat() (iofs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error                 { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &iofs.PathError{Op: "read", Path: d.info.name, Err: syscall.EISDIR}
}

func (d *openDir) ReadDir(n int) ([]iofs.DirEntry, error) {
	if !d.read {
		list, err := readDir(d.dir)
		if err != nil {
			return nil, err
		}
		d.list, d.read = list, true
	}
	if n <= 0 {
		list := d.list
		d.list = nil
		return list, nil
	}
	if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}
