package packed

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written is one of each.
func written() []byte {
	out := AppendText(nil, "one text")
	out = AppendTexts(out, []string{"", "two", "\xff\x00", ""})
	out = AppendTexts(out, nil)
	out = Append32(out, []int32{-1, 0, math.MaxInt32})
	out = Append64(out, []int64{math.MinInt64, 7})
	out = binary.AppendUvarint(out, 3)
	out = binary.AppendVarint(out, -5)
	out = binary.LittleEndian.AppendUint32(out, 1<<31)
	return append(out, "rest"...)
}

// read reads what is written, and returns whether it was that.
func read(data []byte) (same bool, err error) {
	r := NewReader(data)
	same = assert.ObjectsAreEqual([]any{
		"one text", []string{"", "two", "\xff\x00", ""}, []string(nil), []int32{-1, 0, math.MaxInt32},
		[]int64{math.MinInt64, 7}, 3, int64(-5), uint32(1 << 31), []byte("rest"),
	}, []any{
		r.Text(), r.Texts(4), r.Texts(0), Column32[int32](r, 3),
		r.Column64(2), r.Count(1), r.Varint(), r.Uint32(), r.Bytes(4),
	})
	return same, r.End()
}

func TestReader(t *testing.T) {
	data := written()
	same, err := read(data)
	require.NoError(t, err)
	assert.True(t, same)

	_, err = read(append(data, 0))
	require.ErrorIs(t, err, ErrDamaged, "something is left over")
	for n := range data {
		_, err := read(data[:n])
		require.ErrorIs(t, err, ErrDamaged, "%d of %d bytes", n, len(data))
	}
}

// TestReaderAsksForNoMoreThanThereIs gives it lengths that would fill the memory.
func TestReaderAsksForNoMoreThanThereIs(t *testing.T) {
	huge := binary.AppendUvarint(nil, math.MaxUint64)
	for name, read := range map[string]func(r *Reader){
		"text":   func(r *Reader) { r.Text() },
		"texts":  func(r *Reader) { r.Texts(1 << 40) },
		"32 bit": func(r *Reader) { Column32[uint32](r, 1<<40) },
		"64 bit": func(r *Reader) { r.Column64(1 << 40) },
		"bytes":  func(r *Reader) { r.Bytes(1 << 40) },
		"less":   func(r *Reader) { r.Bytes(-1) },
		"count":  func(r *Reader) { assert.Zero(t, r.Count(8)) },
		"number": func(r *Reader) { assert.Zero(t, r.Number(100)) },
	} {
		r := NewReader(huge)
		read(r)
		assert.ErrorIs(t, r.End(), ErrDamaged, name)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(written())
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = read(data) })
}
