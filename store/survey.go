package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// suffix is what pi's session files end in. Copies that others make of them
// (`*.jsonl.reset.*`, `*.jsonl.deleted.*`) do not.
const suffix = ".jsonl"

// A found is a *.jsonl file below a store directory.
type found struct {
	root, rel string
	path      string
	unheard   bool // it, or the directory that it is in, may change without the kernel telling
}

// A survey goes over the directories of a store. It remembers what is in those that
// have not changed, so that another survey costs a stat a directory.
type survey struct {
	roots    []string
	listings map[string]*listing // by path; those of the last survey
	// watch, if not nil, is called with each directory before it is listed, and
	// tells whether the kernel will say when it changes.
	watch func(path string, id fileID) bool
}

// A landscape is what a survey finds beside files.
type landscape struct {
	skipped  []Skipped
	database string // the path of a database, if there is one
	silent   bool   // there are directories of which nobody tells when they change
}

// A walk is a survey that is under way.
type walk struct {
	*survey
	landscape
	last    map[string]*listing // of the survey before
	visited map[fileID]bool
	mounts  map[uint64]bool
	root    string
	found   func(found)
	buf     []byte // for readDirectory
}

// take surveys the directories, and calls each with the files as it finds them, in
// byte order of their paths. A directory that is reached twice through links shows
// where it is reached first, in that order.
func (s *survey) take(each func(found)) landscape {
	w := &walk{
		survey:  s,
		last:    s.listings,
		visited: make(map[fileID]bool, len(s.listings)),
		mounts:  ownMounts(),
		found:   each,
	}
	s.listings = make(map[string]*listing, len(w.last))
	for _, root := range s.roots {
		w.root = root
		w.enter(root, entryDir)
	}
	return w.landscape
}

// enter goes over what a path leads to: a directory, or what a link leads to.
func (w *walk) enter(path string, kind entryKind) {
	f, err := statDirectory(path, w.mounts)
	named := strings.HasSuffix(w.rel(path), suffix)
	switch {
	case err != nil && !named && kind == entryLink:
		return // a dangling link to anything
	case err != nil:
		w.skip(path, err)
		w.silent = w.silent || path == w.root // of its coming back nobody tells
		return
	case f.mode&syscall.S_IFMT != syscall.S_IFDIR:
		if named {
			w.found(found{w.root, w.rel(path), path, true})
		}
		return
	case w.visited[f.fileID]:
		return
	}
	w.visited[f.fileID] = true
	l, told := w.list(path, f)
	w.listings[path] = l
	w.silent = w.silent || !told
	if l.err != nil {
		w.skip(path, l.err)
	}
	if l.database != "" && w.database == "" {
		w.database = join(path, l.database)
	}
	for _, e := range l.entries {
		if e.kind == entryFile {
			w.found(found{w.root, w.rel(e.path), e.path, !told})
		} else {
			w.enter(e.path, e.kind)
		}
	}
}

// rel is a path below the root.
func (w *walk) rel(path string) string { return strings.TrimPrefix(path[len(w.root):], "/") }

// join is filepath.Join for parts that are clean already.
func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

func (land *landscape) skip(path string, err error) {
	land.skipped = append(land.skipped, Skipped{path, reasonOf(err), err != errOwnMount})
}

// reasonOf is what an error says beside the path.
func reasonOf(err error) string {
	if err == errOwnMount {
		return err.Error()
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return "cannot be read: " + err.Error()
}

// lists tells whether the last survey found a directory, or a link, called path.
func (s *survey) lists(path string) bool {
	if s.listings[path] != nil {
		return true
	}
	l := s.listings[filepath.Dir(path)]
	return l != nil && slices.ContainsFunc(l.entries, func(e entry) bool {
		return e.path == path && e.kind != entryFile
	})
}
