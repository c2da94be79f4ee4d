// Package sample carries a small store of pi sessions in the binary, to look at
// pifs without having one: two projects, four sessions, with branches, labels,
// names, a compaction, a fork, an image, tool calls and costs. The real pi wrote
// it (scripts/sample).
package sample

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

//go:embed sessions
var files embed.FS

// FS returns the store's directory: project directories with session files.
func FS() fs.FS {
	sessions, err := fs.Sub(files, "sessions")
	if err != nil {
		panic(err) // the name is valid
	}
	return sessions
}

// Write copies the store into the directory dir, which must exist. Files get the
// time of their last entry as mtime, as if pi had written them then: `latest`
// and the order of listings go by it.
func Write(dir string) error {
	sessions := FS()
	return fs.WalkDir(sessions, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		data, err := fs.ReadFile(sessions, path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return err
		}
		mtime, err := lastTime(data)
		if err != nil {
			return fmt.Errorf("sample %s: %w", path, err)
		}
		return os.Chtimes(target, mtime, mtime)
	})
}

// lastTime returns the timestamp of the last line.
func lastTime(data []byte) (time.Time, error) {
	data = bytes.TrimSuffix(data, []byte("\n"))
	line := data[bytes.LastIndexByte(data, '\n')+1:]
	var entry struct{ Timestamp time.Time }
	err := json.Unmarshal(line, &entry)
	return entry.Timestamp, err
}
