package writeback

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pifs/pifs/model"
)

// headerLimit is how far into a file pi looks for its header when it only wants to
// know what the file is.
const headerLimit = 1 << 20

// FindByID returns the file of the session of cwd whose id is id: pi's findById.
// For dir see [SessionOptions].
func FindByID(cwd, id, dir string) (path string, ok bool) {
	directory, matches := discovery(cwd, dir)
	for _, path := range sessionFiles(directory) {
		header := readHeader(path)
		if header != nil && header.Get("id").Text() == id && matches(header) {
			return path, true
		}
	}
	return "", false
}

// mostRecent returns the file that ContinueRecent opens: pi's
// findMostRecentSession.
func mostRecent(cwd, dir string) (path string, ok bool) {
	directory, matches := discovery(cwd, dir)
	type candidate struct {
		path  string
		mtime time.Time
	}
	var files []candidate
	for _, path := range sessionFiles(directory) {
		info, err := os.Stat(path)
		if err != nil {
			return "", false // pi gives up here.
		}
		files = append(files, candidate{path, info.ModTime()})
	}
	slices.SortStableFunc(files, func(a, b candidate) int { return b.mtime.Compare(a.mtime) })
	for _, f := range files {
		if header := readHeader(f.path); header != nil && matches(header) {
			return f.path, true
		}
	}
	return "", false
}

// discovery returns the directory to look into for sessions of cwd, and which
// headers count: all in pi's own directory for cwd, elsewhere those with that cwd.
func discovery(cwd, dir string) (directory string, matches func(header model.Value) bool) {
	directory = sessionDir(cwd, dir)
	if resolvePath(directory) == DefaultSessionDir(cwd) {
		return directory, func(model.Value) bool { return true }
	}
	cwd = resolvePath(cwd)
	return directory, func(header model.Value) bool {
		its := header.Get("cwd").Text()
		return its != "" && resolvePath(its) == cwd
	}
}

// sessionFiles returns the paths of the *.jsonl files in dir, in byte order as
// Node lists them. None if dir cannot be read.
func sessionFiles(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// readHeader returns the header of the file at path, nil if it has none within
// headerLimit or cannot be read.
func readHeader(path string) model.Value {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewReader(io.LimitReader(f, headerLimit))
	for {
		line, err := lines.ReadBytes('\n')
		v := model.Value(bytes.TrimSpace(model.Clean(line)))
		if model.Valid(v) && v.Truthy() {
			if model.IsHeader(v) {
				return v
			}
			return nil
		}
		if err != nil {
			return nil
		}
	}
}
