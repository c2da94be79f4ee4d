package tree

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

func formOf(t *testing.T, b *Builder) []byte {
	t.Helper()
	data, err := b.AppendBinary(nil)
	require.NoError(t, err)
	return data
}

// again returns the builder that b's form makes.
func again(t *testing.T, b *Builder) *Builder {
	t.Helper()
	var made Builder
	require.NoError(t, made.UnmarshalBinary(formOf(t, b)))
	return &made
}

// checkForm has a builder go to bytes and back after each of its entries, and go on.
func checkForm(t *testing.T, data []byte) {
	var fields []model.Fields
	var lines []int
	for n := 0; len(data) >= 4 && n < 30; n++ {
		line, f := entryFrom([4]byte(data), n)
		data = data[4:]
		fields, lines = append(fields, f), append(lines, line)
	}
	var atOnce Builder
	for i, f := range fields {
		atOnce.Add(lines[i], f)
	}
	whole := formOf(t, &atOnce)
	for cut := range len(fields) + 1 {
		var first Builder
		for i, f := range fields[:cut] {
			first.Add(lines[i], f)
		}
		b := again(t, &first)
		require.Zero(t, b.Tree().Revision())
		checkAgainst(t, newReference(fields[:cut], lines[:cut]), b.Tree())
		for i, f := range fields[cut:] {
			require.Equal(t, cut+i, b.Add(lines[cut+i], f))
			first.Add(lines[cut+i], f)
			require.Equal(t, first.Tree().Revision(), b.Tree().Revision())
		}
		checkAgainst(t, newReference(fields, lines), b.Tree())
		require.Equal(t, whole, formOf(t, b), "cut at %d", cut)
	}
}

func TestForm(t *testing.T) {
	t.Run("empty", func(t *testing.T) { checkForm(t, nil) })
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 2))
		data := make([]byte, 4*(1+random.IntN(30)))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { checkForm(t, data) }) {
			break
		}
	}
}

// TestFormIsSmall counts the bytes of usual entries, and the memory of what is made
// of them.
func TestFormIsSmall(t *testing.T) {
	b := chain(10_000)
	assert.LessOrEqual(t, len(formOf(t, b)), 17*10_000+64)
	b.Tree()
	made := again(t, b)
	assert.Equal(t, len(b.table), len(made.table))
	assert.Equal(t, len(made.ids), cap(made.ids))
	assert.Equal(t, len(made.parents), cap(made.parents))
	assert.Equal(t, len(made.times), cap(made.times))
}

// TestFormOfOtherBytes cuts and changes the form.
func TestFormOfOtherBytes(t *testing.T) {
	var b Builder
	for i := range 20 {
		line, f := entryFrom([4]byte{byte(i * 37), byte(i * 11), 0xff, byte(i * 53)}, i)
		b.Add(line, f)
	}
	data := formOf(t, &b)
	for n := range data {
		require.Error(t, new(Builder).UnmarshalBinary(data[:n]), "%d of %d bytes", n, len(data))
		for _, change := range []byte{1, 0x80, 0xff} {
			other := append([]byte(nil), data...)
			other[n] ^= change
			useForm(other)
		}
	}
	require.Error(t, new(Builder).UnmarshalBinary(append(data, 0)))

	cycle := chain(3)
	cycle.Tree()
	cycle.parents[0] = 2
	require.Error(t, new(Builder).UnmarshalBinary(formOf(t, cycle)), "a walk without end")
}

// useForm asks all of the trees of a builder, if data is the form of one.
func useForm(data []byte) {
	var b Builder
	if b.UnmarshalBinary(data) != nil {
		return
	}
	for range 4 {
		tree := b.Tree()
		for i := range tree.Len() {
			tree.Lookup(tree.ID(i))
			tree.Path(i)
			tree.Context(i)
			tree.Children(i)
			tree.NearTime(i)
			tree.Label(i)
			tree.Word(i)
			tree.Target(i)
			tree.ClosesCycle(i)
		}
		tree.Children(None)
		tree.Branches()
		tree.Leaves()
		tree.Current()
		tree.Name()
		for i, id := range fuzzIDs {
			b.Add(firstLine+b.len(), model.Fields{ID: id, HasID: true, ParentID: fuzzIDs[(i+3)%len(fuzzIDs)], HasParent: true})
		}
	}
}

func FuzzForm(f *testing.F) {
	for _, entries := range [][]byte{{0x10, 0x00, 0x09, 0x01}, {0x00, 0x01, 0xff, 0x01, 0x10, 0x00, 0xff, 0x02}, {0x40, 0x05, 0xff, 0x01, 0x50, 0x04, 0xff, 0xc2}} {
		var b Builder
		for n := 0; len(entries) >= 4; n++ {
			b.Add(entryFrom([4]byte(entries), n))
			entries = entries[4:]
		}
		data, err := b.AppendBinary(nil)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { useForm(data) })
}
