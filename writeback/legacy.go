package writeback

import (
	"bufio"
	"bytes"
	"io"

	"github.com/pifs/pifs/migrate"
	"github.com/pifs/pifs/model"
)

// copyMigrated copies the lines of a session of version 1 or 2 as version 3, those
// that go on beyond an offset in it (-1 for all). Lines that are no entries are copied
// as they are.
func copyMigrated(out *bufio.Writer, in *bufio.Reader, beyond int64) error {
	var m legacy
	for at := int64(0); ; {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			body := bytes.TrimSuffix(line, []byte{'\n'})
			migrated := m.line(body)
			if at+int64(len(body)) > beyond {
				if _, err := out.Write(append(migrated, '\n')); err != nil {
					return err
				}
			}
			at += int64(len(line))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// legacy takes the lines of a session of version 1 or 2, one after the other.
type legacy struct {
	version  int
	migrator *migrate.Migrator // nil before the header
}

// line returns line, without its newline, as it stands in a file of version 3.
func (m *legacy) line(line []byte) []byte {
	if m.migrator == nil {
		return m.header(line)
	}
	f, ok := model.Scan(line)
	if !ok || f.Kind == model.KindSession {
		if ok || model.Valid(model.Clean(line)) {
			m.migrator.Skip(line)
		}
		return line
	}
	m.migrator.Fields(&f)
	links := migrate.Links{ID: quote(f.ID)}
	if f.HasParent {
		links.ParentID = quote(f.ParentID)
	}
	if f.HasTarget {
		links.FirstKeptEntryID = quote(f.TargetID)
	}
	return migrate.Entry(line, m.version, links)
}

// byteOrderMark stands before the first line in files that some editors saved.
// Only without it can pi open them.
var byteOrderMark = []byte("\uFEFF")

// header returns line migrated if it is the session's header, which may follow
// blank and damaged lines.
func (m *legacy) header(line []byte) []byte {
	text := bytes.TrimPrefix(line, byteOrderMark)
	if _, ok := model.Scan(text); !ok || !model.IsHeader(text) {
		return line
	}
	h := model.DecodeHeader(text)
	m.version, _ = migrate.VersionOf(h)
	m.migrator = migrate.New(h)
	return migrate.Header(text)
}
