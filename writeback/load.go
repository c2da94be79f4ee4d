package writeback

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// contents is what a session file holds, as pi loads it.
type contents struct {
	header  model.Value // as stored
	version int         // 1 to 3, 0 for one that is only read
	torn    bool        // the last byte is no newline

	entries []model.Value // migrated
	line    int           // of the file, on which the last entry stands
	talked  bool          // there is a user or assistant message
	builder tree.Builder  // has the entries
}

// load reads a session file without touching it: pi's loadEntriesFromFile.
// ErrNotSession for a file that has no session header; empty tells that it is
// because there is nothing in it.
func load(path string) (c *contents, empty bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	c, err = parse(data)
	if err != nil {
		return nil, len(data) == 0, fmt.Errorf("%s: %w", path, err)
	}
	return c, false, nil
}

// parse reads the lines of a session. What is no JSON object is passed over, as
// is a second header.
func parse(data []byte) (*contents, error) {
	c := &contents{torn: !bytes.HasSuffix(data, []byte{'\n'})}
	n := 0
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		n++
		line = bytes.TrimSpace(model.Clean(line))
		if c.header != nil {
			c.add(n, line)
			continue
		}
		if !model.Value(line).Truthy() || !model.Valid(line) {
			continue // pi does not see it.
		}
		if !model.IsHeader(line) {
			return nil, ErrNotSession
		}
		c.header = line
		c.version, _ = migrate.VersionOf(model.DecodeHeader(line))
		if c.version > migrate.Version {
			c.version = 0
		}
	}
	if c.header == nil {
		return nil, ErrNotSession
	}
	if c.old() {
		return c.migrated(data)
	}
	return c, nil
}

// add takes the entry on a line. Other lines are passed over.
func (c *contents) add(line int, text []byte) {
	if f, ok := model.Scan(text); ok && f.Kind != model.KindSession {
		c.remember(line, f, text)
	}
}

// remember takes an entry whose fields are known, and returns its index.
func (c *contents) remember(line int, f model.Fields, raw model.Value) int {
	c.line = line
	c.entries = append(c.entries, raw)
	c.talked = c.talked || talk(f)
	return c.builder.Add(line, f)
}

// talk tells whether an entry makes a session worth a file.
func talk(f model.Fields) bool {
	return f.Kind == model.KindUser || f.Kind == model.KindAssistant
}

// old tells whether the session is of a version that pi migrates.
func (c *contents) old() bool { return c.version == 1 || c.version == 2 }

// migrated returns data as it will be read once the file is migrated.
func (c *contents) migrated(data []byte) (*contents, error) {
	var migrated bytes.Buffer
	out := bufio.NewWriter(&migrated)
	if err := copyMigrated(out, bufio.NewReader(bytes.NewReader(data)), -1); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	next, err := parse(migrated.Bytes())
	if err != nil {
		return nil, err
	}
	next.version, next.torn = c.version, c.torn
	return next, nil
}
