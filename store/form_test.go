package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sessionTexts returns the odd files, the sample's, and generated ones, by name.
func sessionTexts(tb testing.TB) map[string][]byte {
	tb.Helper()
	texts := make(map[string][]byte)
	for _, pattern := range []string{"../testdata/edge/*.jsonl", "../cmd/pifs/sample/sessions/*/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(tb, err)
		require.NotEmpty(tb, files)
		for _, path := range files {
			text, err := os.ReadFile(path)
			require.NoError(tb, err)
			texts[strings.TrimSuffix(filepath.Base(path), suffix)] = text
		}
	}
	texts["chain"] = []byte(headerLine + chain(300))
	texts["uneven"] = []byte(headerLine + chain(20) + "broken\n" + message(20, "a\r") + "\n\n" + message(21, strings.Repeat("long ", 1000)) + "  \r\n" + message(22, "end"))
	return texts
}

// headOf returns the head of a text, nil if it is no session.
func headOf(text []byte) *head {
	h, err := newHeadReader().read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil
	}
	return h
}

// scanned has an index of its own take text.
func scanned(t *testing.T, h *head, text []byte, atRest bool) *index {
	t.Helper()
	x := newIndex(h)
	require.NoError(t, x.scan(newLineReader(256), bytes.NewReader(text), int64(len(text)), atRest))
	x.builder.Tree()
	return x
}

func reread(t *testing.T, x *index) *index {
	t.Helper()
	again, err := readIndex(x.head, x.appendTo(nil))
	require.NoError(t, err)
	return again
}

// TestForm holds a scan in one go against one that goes to bytes and back after any
// byte of the file.
func TestForm(t *testing.T) {
	for name, text := range sessionTexts(t) {
		whole := headOf(text)
		if whole == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want := scanned(t, whole, text, true)
			assert.Equal(t, summed(want), summed(reread(t, want)))
			form := want.appendTo(nil)
			assert.Equal(t, form, reread(t, want).appendTo(nil))
			resumed := 0
			for _, cut := range someCuts(len(text)) {
				h := headOf(text[:cut])
				if h == nil {
					continue
				}
				for _, atRest := range []bool{false, true} {
					first := scanned(t, h, text[:cut], atRest)
					if first.migrator == nil {
						continue // a header that is not ended
					}
					x := reread(t, first)
					require.Equal(t, summed(first), summed(x), "cut at %d", cut)
					if x.tail == tailDamaged || h.size != whole.size || h.sum != whole.sum {
						continue // it is not resumed
					}
					err := x.scan(newLineReader(256), bytes.NewReader(text), int64(len(text)), true)
					if errors.Is(err, errRewritten) || x.builder.Tree().Revision() > 0 {
						continue
					}
					require.NoError(t, err)
					require.Equal(t, form, x.appendTo(nil), "cut at %d", cut)
					resumed++
				}
			}
			assert.Positive(t, resumed)
		})
	}
}

// someCuts returns offsets up to n: all if these are not too many.
func someCuts(n int) (cuts []int) {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n + 1 {
		if n <= 2000 || rnd.IntN(n) < 30 {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// formSum is the checksum of the forms of the odd files' indexes in shelfVersion. If
// it changes, what older versions have kept is no longer what a scan makes: then
// shelfVersion has to change as well.
const formSum = 0xd97417c0

func TestFormVersion(t *testing.T) {
	files, err := filepath.Glob("../testdata/edge/*.jsonl")
	require.NoError(t, err)
	sum := crc32.New(castagnoli)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if h := headOf(text); h != nil {
			_, _ = sum.Write(scanned(t, h, text, true).appendTo(nil))
		}
	}
	assert.EqualValues(t, formSum, sum.Sum32(), "count shelfVersion up, and note the sum")
}

// TestFormOfOtherBytes cuts and changes the form of each odd file's index.
func TestFormOfOtherBytes(t *testing.T) {
	for name, text := range sessionTexts(t) {
		h := headOf(text)
		if h == nil || len(text) > 10_000 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			form := scanned(t, h, text, true).appendTo(nil)
			for n := range form {
				_, err := readIndex(h, form[:n])
				require.Error(t, err, "%d of %d bytes", n, len(form))
				for _, change := range []byte{1, 0x80} {
					other := bytes.Clone(form)
					other[n] ^= change
					useForm(t, h, other)
				}
			}
			_, err := readIndex(h, append(form, 0))
			require.Error(t, err)
		})
	}
}

// useForm does with an index all that is done, if data is the form of one.
func useForm(t *testing.T, h *head, data []byte) {
	x, err := readIndex(h, data)
	if err != nil {
		return
	}
	v := x.view(nil, facts{})
	for i := range v.Tree.Len() {
		off, length := v.spans.at(i)
		require.True(t, 0 <= off && 0 <= length && off+length <= x.seen, "entry %d at %d+%d of %d", i, off, length, x.seen)
		v.links(i)
		v.Tree.Context(i)
	}
	for _, d := range v.Damaged {
		require.True(t, 0 <= d.Offset && 0 <= d.Len && d.Offset+d.Len <= x.seen)
	}
	listed(x)
	x.appendTo(nil)
	more := repeated{[]byte(headerLine + "\n" + message(1, "more") + message(3, "and more") + "5\n{\n")}
	_ = x.scan(newLineReader(256), more, min(x.seen, 1<<20)+1000, true)
	x.builder.Tree()
}

// repeated is a file without end.
type repeated struct{ text []byte }

func (f repeated) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		p[i] = f.text[(off+int64(i))%int64(len(f.text))]
	}
	return len(p), nil
}

func FuzzReadIndex(f *testing.F) {
	h := headOf([]byte(headerLine))
	old := headOf([]byte(`{"type":"session","id":"s"}` + "\n"))
	for _, text := range sessionTexts(f) {
		if len(text) > 10_000 {
			continue
		}
		text = append([]byte(headerLine), text...)
		x := newIndex(h)
		require.NoError(f, x.scan(newLineReader(256), bytes.NewReader(text), int64(len(text)), true))
		f.Add(x.appendTo(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		useForm(t, h, data)
		useForm(t, old, data)
	})
}
