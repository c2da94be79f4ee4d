package migrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// TestForm has a migrator go to bytes and back between any two lines.
func TestForm(t *testing.T) {
	lines := []string{
		`{"type":"message","message":{"role":"hookMessage","content":[]}}`,
		`5`,
		`0`,
		`{"type":"custom"}`,
		`{"type":"compaction","firstKeptEntryIndex":1,"summary":"s"}`,
		`{"type":"compaction","firstKeptEntryIndex":2,"summary":"no entry"}`,
		`"text"`,
		`{"type":"message"}`,
	}
	take := func(m *Migrator, line string) (f model.Fields) {
		f, ok := model.Scan([]byte(line))
		if !ok {
			m.Skip(model.Value(line))
			return f
		}
		m.Fields(&f)
		return f
	}
	for _, version := range []string{"null", "1", "2", "3", `"other"`} {
		h := model.DecodeHeader(model.Value(`{"type":"session","id":"s","version":` + version + `}`))
		for cut := range len(lines) + 1 {
			m := New(h)
			for _, line := range lines[:cut] {
				take(m, line)
			}
			data, err := m.AppendBinary(nil)
			require.NoError(t, err)
			again := New(h)
			require.NoError(t, again.UnmarshalBinary(data))
			assert.Equal(t, m, again)
			for _, line := range lines[cut:] {
				assert.Equal(t, take(m, line), take(again, line))
			}
			for n := range data {
				require.Error(t, New(h).UnmarshalBinary(data[:n]))
			}
			require.Error(t, New(h).UnmarshalBinary(append(data, 0)))
		}
	}
	assert.Error(t, New(model.DecodeHeader(model.Value(`{"type":"session","id":"s"}`))).UnmarshalBinary([]byte{1, 7}), "the header is no entry")
}
