package migrate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/pifs/pifs/model"
)

// A Migrator changes the fields of a session's lines in file order. It works
// line by line and never looks ahead, so a file that grows keeps its ids.
type Migrator struct {
	session string
	version int // 1 and 2 are migrated

	// ids has, for version 1, the id of every value that pi parses, in file order
	// and with the header first; noEntry where the value gets none.
	ids   []int64
	taken map[uint32]bool
	last  int // index in ids of the last entry, 0 before the first
}

// noEntry stands in ids for the header and for what is no entry.
const noEntry = -1

// New returns the migrator of a session whose header is h.
func New(h model.Header) *Migrator {
	m := &Migrator{session: h.ID.Text()}
	if version, ok := VersionOf(h); ok {
		m.version = version
	}
	if m.version == 1 {
		m.ids = []int64{noEntry}
		m.taken = make(map[uint32]bool)
	}
	return m
}

// Skip takes note of a line that pi parses though it is no entry: a second
// header, or a value that is no object. It counts in version 1's indexes, unless
// JavaScript takes it as false: pi drops those.
func (m *Migrator) Skip(v model.Value) {
	if m.version == 1 && v.Truthy() {
		m.ids = append(m.ids, noEntry)
	}
}

// Fields changes the next entry's fields in place. It does nothing to a session
// that needs no migration.
func (m *Migrator) Fields(f *model.Fields) {
	if m.version == 1 {
		m.link(f)
	}
	if m.version == 1 || m.version == 2 {
		if f.Kind == model.KindMessageOther && f.Word == hookMessage {
			f.Kind, f.Word = model.KindCustomRole, ""
		}
	}
}

// link gives an entry of version 1 its id and its parent, and a compaction the
// entry that its index means. pi's own ids are drawn as it goes, so an index that
// points ahead finds no id.
func (m *Migrator) link(f *model.Fields) {
	f.ParentID, f.HasParent = m.id(m.last)
	m.last = len(m.ids)
	m.ids = append(m.ids, int64(m.draw(m.last)))
	f.ID, f.HasID = m.id(m.last)
	if f.Kind != model.KindCompaction || f.FirstKeptIndex < 0 {
		return
	}
	if f.FirstKeptIndex < int64(len(m.ids)) {
		if id, ok := m.id(int(f.FirstKeptIndex)); ok {
			f.TargetID, f.HasTarget = id, true
		}
	}
	f.FirstKeptIndex = -1
}

// id returns the id of the value at index i of the session.
func (m *Migrator) id(i int) (id string, ok bool) {
	if m.ids[i] == noEntry {
		return "", false
	}
	return fmt.Sprintf("%08x", m.ids[i]), true
}

// draw returns an id for the value at index i that no earlier entry has.
func (m *Migrator) draw(i int) uint32 {
	for attempt := 0; ; attempt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", m.session, i, attempt))
		if id := binary.BigEndian.Uint32(sum[:]); !m.taken[id] {
			m.taken[id] = true
			return id
		}
	}
}

// Links is what version 1 lacks: the entry's id, its parent's and, for a
// compaction, the entry that firstKeptEntryIndex meant. Nil for none.
type Links struct {
	ID, ParentID, FirstKeptEntryID model.Value
}
