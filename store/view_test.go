package store

import (
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

func TestBodies(t *testing.T) {
	big := message(5, strings.Repeat("big ", togetherBytes/2))
	text := headerLine + chain(5) + big + "damaged\n" + strings.Replace(message(6, "bad X byte"), "X", "\xff", 1) + "\r\n" + message(7, "last")
	s, x := one(t, text)
	v := view(t, x)
	require.Equal(t, 8, v.Tree.Len())

	raw, err := v.Raw(5)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(big), string(raw))
	raw, err = v.Raw(6)
	require.NoError(t, err)
	assert.Contains(t, string(raw), "bad \uFFFD byte")
	assert.True(t, model.Valid(raw))
	e, err := v.Entry(7)
	require.NoError(t, err)
	assert.Equal(t, "00000007", e.ID.Text())
	damaged, err := v.DamagedLine(v.Damaged[0])
	require.NoError(t, err)
	assert.Equal(t, "damaged", string(damaged))

	before := s.Stats()
	var got []int32
	want := []int32{7, 0, 1, 2, 2, 4, 5, 6, 3}
	require.NoError(t, v.Each(want, func(i int, e *model.Entry) error {
		got = append(got, int32(i))
		one, err := v.Entry(i)
		require.NoError(t, err)
		assert.Equal(t, string(one.Raw), string(e.Raw))
		return nil
	}))
	assert.Equal(t, want, got)
	// 7 | 0 1 2 | 2 4 | 5 | 6 | 3, and one for each Entry.
	assert.EqualValues(t, 6+len(want), s.Stats().BodyReads-before.BodyReads)

	stop := errors.New("stop")
	calls := 0
	err = v.Each([]int32{0, 1, 2}, func(int, *model.Entry) error { calls++; return stop })
	assert.ErrorIs(t, err, stop)
	assert.Equal(t, 1, calls)
	assert.NoError(t, v.Each(nil, nil))
}

// TestEachReadsTogether holds that a whole session is read in large pieces.
func TestEachReadsTogether(t *testing.T) {
	s, x := one(t, headerLine+chain(10_000))
	v := view(t, x)
	all := make([]int32, v.Tree.Len())
	for i := range all {
		all[i] = int32(i)
	}
	n := 0
	require.NoError(t, v.Each(all, func(i int, e *model.Entry) error { n++; return nil }))
	assert.Equal(t, len(all), n)
	st := s.Stats()
	assert.LessOrEqual(t, st.BodyReads, v.Size/togetherBytes+2)
	assert.LessOrEqual(t, st.BodyBytes, v.Size)

	rand.New(rand.NewSource(1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var got []int32
	require.NoError(t, v.Each(all[:100], func(i int, e *model.Entry) error { got = append(got, int32(i)); return nil }))
	assert.Equal(t, all[:100], got)
}

// TestMigrated holds that entries of old versions are given as pi holds them.
func TestMigrated(t *testing.T) {
	s := open(t, copyEdge(t))
	at := func(name string) *View {
		i := slices.IndexFunc(s.Sessions(), func(x *Session) bool { return x.Name() == name })
		return view(t, s.Sessions()[i])
	}
	v1 := at("v1-linear")
	assert.Equal(t, 1, v1.Version)
	parent := "null"
	for i := range v1.Tree.Len() {
		e, err := v1.Entry(i)
		require.NoError(t, err)
		assert.Equal(t, v1.Tree.ID(i), e.ID.Text())
		assert.Equal(t, parent, string(e.ParentID))
		parent = string(e.ID)
	}
	compaction, err := v1.Entry(2)
	require.NoError(t, err)
	assert.Equal(t, v1.Tree.ID(0), compaction.FirstKeptEntryID.Text())
	assert.Nil(t, compaction.Raw.Get("firstKeptEntryIndex"))
	raw, err := v1.Raw(2)
	require.NoError(t, err)
	assert.Equal(t, "1", string(raw.Get("firstKeptEntryIndex")), "raw is as stored")

	lost, err := at("v1-index-out-of-range").Entry(1)
	require.NoError(t, err)
	assert.Nil(t, lost.FirstKeptEntryID)

	v2, err := at("v2-hookMessage").Entry(0)
	require.NoError(t, err)
	assert.Equal(t, model.KindCustomRole, v2.Kind)
}

func TestFirstMessage(t *testing.T) {
	long := strings.Repeat("é", firstMessageBytes)
	blocks := func(content string) string {
		return `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":` + content + `}}` + "\n"
	}
	cases := map[string]struct{ lines, want string }{
		"text":           {blocks(`"hello"`), "hello"},
		"blocks":         {blocks(`[{"type":"text","text":"one"},{"type":"image","data":"x"},{"type":"text","text":"two"}]`), "one two"},
		"none":           {"", ""},
		"empty ones":     {blocks(`""`) + blocks(`[{"type":"image"}]`) + blocks(`null`) + blocks(`"found"`), "found"},
		"not assistants": {strings.Replace(blocks(`"no"`), "user", "assistant", 1) + blocks(`"yes"`), "yes"},
		"no text":        {blocks(`[{"type":"text"},{"type":"text","text":"x"}]`), " x"},
		"bad byte":       {blocks("\"a\xffb\""), "a\uFFFDb"},
		"long":           {blocks(`"x` + long + `"`), "x" + long},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, x := one(t, headerLine+c.lines)
			v := view(t, x)
			whole, err := v.FirstMessage()
			require.NoError(t, err)
			assert.Equal(t, c.want, whole)
			assert.Equal(t, len(c.want) > firstMessageBytes, v.Summary.FirstMessageCut)
			if v.Summary.FirstMessageCut {
				assert.Len(t, v.Summary.FirstMessage, firstMessageBytes-1)
			}
			assert.True(t, strings.HasPrefix(c.want, v.Summary.FirstMessage))
		})
	}
}
