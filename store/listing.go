package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

// An entry is what has a name in a directory: a *.jsonl file, a directory, or a link
// that may lead to either.
type entry struct {
	path string
	kind entryKind
}

type entryKind uint8

const (
	entryFile entryKind = iota
	entryDir
	entryLink
)

// list returns the listing of a directory, the last one if it is still true. told
// tells whether the kernel says when it changes.
func (w *walk) list(path string, f facts) (l *listing, told bool) {
	told = w.watch == nil || w.watch(path, f.fileID)
	last := w.last[path]
	if last != nil && last.err == nil && told && last.id == f.fileID &&
		last.mtimeNS == f.mtimeNS && last.ctimeNS == f.ctimeNS && last.taken.Sub(time.Unix(0, f.mtimeNS)) > racyFor {
		return last, told
	}
	l = &listing{id: f.fileID, mtimeNS: f.mtimeNS, ctimeNS: f.ctimeNS, taken: time.Now()}
	if w.buf == nil {
		w.buf = make([]byte, direntBytes)
	}
	l.err = readDirectory(path, w.buf, func(name []byte, typ uint8) { l.add(path, name, typ) })
	// Directories are compared as if their names ended in a slash, so that files
	// come out in byte order of whole paths.
	slices.SortFunc(l.entries, func(a, b entry) int { return cmp.Compare(a.key(), b.key()) })
	return l, told
}

func (l *listing) add(dir string, name []byte, typ uint8) {
	kind := entryFile
	switch {
	case typ == unix.DT_DIR:
		kind = entryDir
	case typ == unix.DT_LNK:
		kind = entryLink
	case bytes.HasSuffix(name, []byte(suffix)):
	default:
		if name := string(name); isDatabase(name) && (l.database == "" || name < l.database) {
			l.database = name
		}
		return
	}
	l.entries = append(l.entries, entry{join(dir, string(name)), kind})
}

func (e entry) key() string {
	if e.kind == entryFile || strings.HasSuffix(e.path, suffix) && e.kind == entryLink {
		return e.path
	}
	return e.path + "/"
}

func isDatabase(name string) bool {
	for _, ext := range []string{".db", ".sqlite", ".sqlite3"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
