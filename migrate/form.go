package migrate

import (
	"encoding/binary"
	"math"

	"github.com/pifs/pifs/internal/packed"
)

// AppendBinary appends what the migrator knows of the lines so far: nothing but
// where version 1 is migrated, there about five bytes a line. There is never an
// error.
func (m *Migrator) AppendBinary(dst []byte) ([]byte, error) {
	if m.version != 1 {
		return dst, nil
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.ids)))
	for _, id := range m.ids {
		dst = binary.AppendUvarint(dst, uint64(id+1)) // noEntry is 0
	}
	return dst, nil
}

// UnmarshalBinary brings m, which must be a new one for the same header, to where
// the migrator was that data was appended by. There is an error, and m must not be
// used, if data is not what AppendBinary appends.
func (m *Migrator) UnmarshalBinary(data []byte) error {
	r := packed.NewReader(data)
	if m.version != 1 {
		return r.End()
	}
	m.ids = make([]int64, r.Count(1))
	for i := range m.ids {
		id := r.Number(math.MaxUint32+1) - 1
		if m.ids[i] = id; id != noEntry {
			m.last = i
			m.taken[uint32(id)] = true
		}
	}
	r.Check(len(m.ids) > 0 && m.ids[0] == noEntry)
	return r.End()
}
