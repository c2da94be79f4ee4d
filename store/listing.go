package store

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"
)

// racyFor is how old the mtime of a directory must be for its listing to be kept:
// a younger one may stay the same when another file appears.
const racyFor = 2 * time.Second

// A listing is what pifs uses of a directory.
type listing struct {
	id       fileID
	mtimeNS  int64
	ctimeNS  int64
	taken    time.Time
	entries  []entry
	database string // the name of a database in it
	err      error
}

// An entry is a name in a directory: a *.jsonl file, a directory, or a link that
// may lead to either.
type entry struct {
	name string
	kind entryKind
}

type entryKind uint8

const (
	entryFile entryKind = iota
	entryDir
	entryLink
)

// list returns the listing of a directory, last if it is still true. told tells
// whether the kernel says when it changes.
func (s *survey) list(path string, f facts, last *listing) (l *listing, told bool) {
	told = s.watch == nil || s.watch(path, f.fileID)
	if last != nil && last.err == nil && told && last.id == f.fileID &&
		last.mtimeNS == f.mtimeNS && last.ctimeNS == f.ctimeNS && last.taken.Sub(time.Unix(0, f.mtimeNS)) > racyFor {
		return last, told
	}
	l = &listing{id: f.fileID, mtimeNS: f.mtimeNS, ctimeNS: f.ctimeNS, taken: time.Now()}
	names, err := os.ReadDir(path)
	l.err = err
	for _, n := range names {
		l.add(n)
	}
	// Directories are compared as if their names ended in a slash, so that files
	// come out in byte order of whole paths.
	slices.SortFunc(l.entries, func(a, b entry) int { return cmp.Compare(a.key(), b.key()) })
	return l, told
}

func (l *listing) add(n os.DirEntry) {
	name := n.Name()
	switch {
	case n.IsDir():
		l.entries = append(l.entries, entry{name, entryDir})
	case n.Type()&os.ModeSymlink != 0:
		l.entries = append(l.entries, entry{name, entryLink})
	case strings.HasSuffix(name, suffix):
		l.entries = append(l.entries, entry{name, entryFile})
	case l.database == "" && isDatabase(name):
		l.database = name
	}
}

func (e entry) key() string {
	if e.kind == entryFile || strings.HasSuffix(e.name, suffix) && e.kind == entryLink {
		return e.name
	}
	return e.name + "/"
}

func isDatabase(name string) bool {
	for _, ext := range []string{".db", ".sqlite", ".sqlite3"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
