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

// A landscape is what a survey finds.
type landscape struct {
	files    []found // in byte order of their paths
	skipped  []Skipped
	database string // the path of a database, if there is one
	silent   bool   // there are directories of which nobody tells when they change
}

// take surveys the directories. A directory that is reached twice through links
// shows where it is reached first, in byte order of the paths.
func (s *survey) take() landscape {
	var land landscape
	last := s.listings
	s.listings = make(map[string]*listing, len(last))
	visited := make(map[fileID]bool, len(last))
	mounts := ownMounts()
	type place struct {
		root, rel string
		kind      entryKind
		unheard   bool
	}
	var todo []place // the next one last
	for _, root := range slices.Backward(s.roots) {
		todo = append(todo, place{root: root, kind: entryDir})
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		path := join(p.root, p.rel)
		if p.kind == entryFile {
			land.files = append(land.files, found{p.root, p.rel, path, p.unheard})
			continue
		}
		f, err := statDirectory(path, mounts)
		switch {
		case err != nil && !strings.HasSuffix(p.rel, suffix) && p.kind == entryLink:
			continue // a dangling link to anything
		case err != nil:
			land.skip(path, err)
			continue
		case f.mode&syscall.S_IFMT != syscall.S_IFDIR:
			if strings.HasSuffix(p.rel, suffix) {
				land.files = append(land.files, found{p.root, p.rel, path, true})
			}
			continue
		case visited[f.fileID]:
			continue
		}
		visited[f.fileID] = true
		l, told := s.list(path, f, last[path])
		s.listings[path] = l
		land.silent = land.silent || !told
		if l.err != nil {
			land.skip(path, l.err)
		}
		if l.database != "" && land.database == "" {
			land.database = join(path, l.database)
		}
		for _, e := range slices.Backward(l.entries) {
			todo = append(todo, place{p.root, join(p.rel, e.name), e.kind, !told})
		}
	}
	return land
}

// join is filepath.Join for parts that are clean already; the first may be empty.
func join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	case dir == "/":
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
		return e.name == filepath.Base(path) && e.kind != entryFile
	})
}
