package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scanInPieces has an index take text as it grows by the cuts, each time at rest or
// not. It begins anew, as a store does with another session, where what was taken
// turns out to have become something else.
func scanInPieces(t *testing.T, text []byte, cuts []int, atRest func(i int) bool) *index {
	t.Helper()
	r := newLineReader(64)
	var x *index
	var taken []string
	for i, to := range append(cuts, len(text)) {
		last := i == len(cuts)
		h, err := newHeadReader().read(bytes.NewReader(text[:to]), int64(to))
		if err != nil {
			require.IsType(t, notSession(""), err)
			x, taken = nil, nil
			continue
		}
		if x == nil || !headHolds(t, x, text) {
			x, taken = newIndex(h), nil
		}
		err = x.scan(r, bytes.NewReader(text[:to]), int64(to), last || atRest(i))
		if errors.Is(err, errRewritten) {
			require.NotEqual(t, tailOpen, x.tail, "only a line that was taken before it ended can have become another")
			x, taken = newIndex(h), nil
			err = x.scan(r, bytes.NewReader(text[:to]), int64(to), last || atRest(i))
		}
		require.NoError(t, err)
		require.EqualValues(t, to, x.seen)
		now := listed(x)
		require.True(t, len(now) >= len(taken) && slices.Equal(now[:len(taken)], taken), "a transcript must only grow:\n%s\n%s", taken, now)
		taken = now
	}
	return x
}

func headHolds(t *testing.T, x *index, text []byte) bool {
	held, err := x.head.holds(bytes.NewReader(text))
	require.NoError(t, err)
	return held && x.migrator != nil
}

// listed returns what a transcript shows: entries and damaged lines in file order.
func listed(x *index) []string {
	tr := x.builder.Tree()
	var all []string
	damaged := x.damaged
	for i := range tr.Len() {
		for len(damaged) > 0 && damaged[0].Before <= i {
			all = append(all, fmt.Sprintf("damaged %d+%d", damaged[0].Offset, damaged[0].Len))
			damaged = damaged[1:]
		}
		off, length := x.spans.at(i)
		all = append(all, fmt.Sprintf("entry %d+%d line %d", off, length, tr.Line(i)))
	}
	for _, d := range damaged {
		all = append(all, fmt.Sprintf("damaged %d+%d", d.Offset, d.Len))
	}
	return all
}

// summed says what an index knows.
func summed(x *index) string {
	if x == nil {
		return "no session"
	}
	damaged := slices.Clone(x.damaged)
	for i := range damaged {
		damaged[i].Code = "" // a line that was torn stays so when it is ended
	}
	tr := x.builder.Tree()
	var b strings.Builder
	for i := range tr.Len() {
		fmt.Fprintln(&b, tr.ID(i), tr.Parent(i), tr.Kind(i), tr.Time(i))
	}
	fmt.Fprintln(&b, tr.Leaf(), listed(x), damaged, x.oddities, x.tally, x.lines, x.covered(), x.sum, x.anchor.last)
	return b.String()
}

func FuzzGrowth(f *testing.F) {
	files, _ := filepath.Glob("../testdata/edge/*.jsonl")
	for i, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text, uint64(i))
	}
	f.Add([]byte(headerLine+chain(3)), uint64(1))
	f.Add([]byte(headerLine+`{"a":1} `+"\r\n"+`{"b":2}{"c":3}`+"\n \n42"), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if len(text) > 16<<10 {
			t.Skip("growth is tried byte by byte")
		}
		whole := scanInPieces(t, text, nil, nil)
		rnd := seed | 1
		next := func(n int) int {
			rnd ^= rnd << 13
			rnd ^= rnd >> 7
			rnd ^= rnd << 17
			return int(rnd % uint64(n))
		}
		var cuts []int
		for range next(8) {
			cuts = append(cuts, next(len(text)+1))
		}
		slices.Sort(cuts)
		pieces := scanInPieces(t, text, cuts, func(int) bool { return next(3) == 0 })
		require.Equal(t, summed(whole), summed(pieces), "cuts %v", cuts)
	})
}

// TestEveryByte has each of the odd files grow byte by byte.
func TestEveryByte(t *testing.T) {
	files, err := filepath.Glob("../testdata/edge/*.jsonl")
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if len(text) > 2000 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			whole := scanInPieces(t, text, nil, nil)
			var cuts []int
			for i := range text {
				cuts = append(cuts, i)
			}
			for _, atRest := range []bool{false, true} {
				pieces := scanInPieces(t, text, cuts, func(int) bool { return atRest })
				assert.Equal(t, summed(whole), summed(pieces))
			}
		})
	}
}

// TestLongTail has a line arrive in pieces that is too long to be tried each time.
func TestLongTail(t *testing.T) {
	long := headerLine + message(0, strings.Repeat("x", 3*retryBytes))
	text := []byte(long + message(1, "end"))
	h, err := newHeadReader().read(bytes.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	x := newIndex(h)
	r := newLineReader(chunkBytes)
	read := 0
	for to := len(headerLine); to < len(text); to += 1000 {
		file := &countingReader{Reader: bytes.NewReader(text[:to])}
		require.NoError(t, x.scan(r, file, int64(to), false))
		read += file.bytes
	}
	file := &countingReader{Reader: bytes.NewReader(text)}
	require.NoError(t, x.scan(r, file, int64(len(text)), false))
	assert.Equal(t, 2, x.builder.Tree().Len())
	// Up to retryBytes the line is tried at each growth, behind that read twice.
	assert.Less(t, read+file.bytes, retryBytes/1000*retryBytes/2+2*retryBytes+3*len(text))

	rested := newIndex(h)
	end := int64(len(long) - 1)
	require.NoError(t, rested.scan(r, bytes.NewReader(text), end-1, false))
	assert.True(t, rested.open())
	require.NoError(t, rested.scan(r, bytes.NewReader(text), end, false))
	assert.True(t, rested.open(), "too long to be tried before it is ended or at rest")
	require.NoError(t, rested.scan(r, bytes.NewReader(text), end, true))
	assert.Equal(t, tailValue, rested.tail)
	assert.Equal(t, 1, rested.builder.Tree().Len())
}

type countingReader struct {
	*bytes.Reader
	bytes int
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	c.bytes += n
	return n, err
}

// TestShrunk scans up to an offset before what has been read: a file that was cut
// between two looks at it.
func TestShrunk(t *testing.T) {
	for _, tail := range []string{"", `{"type":"custom","id":"c"}`, `{"type":"cus`} {
		text := []byte(headerLine + chain(20) + tail)
		_, session := one(t, string(text))
		for to := int64(0); to < int64(len(text)); to += 13 {
			x := newIndex(session.head)
			r := newLineReader(64)
			require.NoError(t, x.scan(r, bytes.NewReader(text), int64(len(text)), true))
			require.ErrorIs(t, x.scan(r, bytes.NewReader(text[:to]), to, false), errRewritten, "%d of %d bytes", to, len(text))
		}
	}
}
