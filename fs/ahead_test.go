package fs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// TestReader moves a reader over places and looks at what it is taken for.
func TestReader(t *testing.T) {
	for _, row := range []struct {
		places []int
		at     int
		way    int
	}{
		{[]int{5}, 5, 0},
		{[]int{5, 5}, 5, 0},
		{[]int{5, 6}, 6, 1},
		{[]int{5, 4}, 4, -1},
		{[]int{5, 5 + strayPlaces}, 5 + strayPlaces, 1},
		{[]int{5, 6 + strayPlaces}, 6 + strayPlaces, 0},
		{[]int{5, 7, 6, 8}, 8, 1}, // a search of two threads
		{[]int{50, 51, 2}, 2, 0},
		{[]int{50, 51, 52, 51, 50}, 52, 1},
	} {
		r := &reader{at: row.places[0]}
		for _, place := range row.places {
			r.arrive(place, false)
		}
		assert.Equal(t, reader{at: row.at, way: row.way}, *r, "%v", row.places)
	}
	for _, way := range []int{1, -1} {
		r := &reader{at: 50}
		r.arrive(50+way, true)
		r.sizes = []int64{10, 20}
		assert.True(t, r.wants(aheadShare*31, 2))
		assert.False(t, r.wants(aheadShare*30, 2), "as much as there is room for")
		r.jobs = 1
		assert.False(t, r.wants(aheadShare*31, 2), "the reader needs a processor")
		assert.True(t, r.wants(aheadShare*31, 3))
		r.jobs, r.reads = 1, false
		assert.True(t, r.wants(aheadShare*31, 2))
		r.jobs, r.reads = 0, true
		assert.True(t, r.wants(aheadShare*31, 1), "there is one worker")
		r.arrive(50+2*way, false)
		assert.Equal(t, reader{at: 50 + 2*way, way: way, reads: true, sizes: []int64{20}}, *r)
		r.sizes = make([]int64, aheadPlaces)
		assert.False(t, r.wants(aheadShare<<20, 2), "as many as there may be")
	}
}

// TestAhead reads a file of one session after the other, and looks at what is made of
// those that follow: their text for who reads, their lengths for who asks for these.
func TestAhead(t *testing.T) {
	const sessions = 6
	for _, down := range []bool{true, false} {
		dir := t.TempDir()
		for i := range sessions {
			writeSession(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), fmt.Sprint(i), "/p", "", userLine("a", "", strings.Repeat("word ", 100)))
		}
		st, err := store.Open(context.Background(), []string{dir}, store.Options{})
		require.NoError(t, err)
		defer st.Close()
		tr := New(st, Options{})
		a := newAhead(tr)
		seats := tr.layout().seats
		file := func(i int) transcriptFile {
			if down {
				i = sessions - 1 - i
			}
			return transcriptFile{tr.session(seats[i].session)}
		}
		for a.next() != nil { // what is scanned unasked is not what is tested
			a.scans = false
		}
		a.note(compositeFile{file(0)}, true)
		assert.Nil(t, a.next(), "one file is no search")
		a.note(compositeFile{file(1)}, true)
		for i := 2; i < sessions; i++ {
			_, known := file(i).peek()
			assert.False(t, known)
			job := a.next()
			require.NotNil(t, job)
			job()
			_, known = file(i).peek()
			assert.True(t, known, "session %d is ready", i)
		}
		assert.Nil(t, a.next(), "there are no more")
		assert.EqualValues(t, sessions-2, tr.stats.renders.Load())
		_, err = compositeFile{file(sessions - 1)}.ReadAt(make([]byte, 100), 0)
		require.NoError(t, err)
		assert.EqualValues(t, sessions-2, tr.stats.renders.Load(), "nothing is made again")
	}
}

// TestAheadPanics holds that a job that panics does not end the process.
func TestAheadPanics(t *testing.T) {
	tr := New(nil, Options{})
	newAhead(tr).do(func() { panic("a bug") })
	assert.Contains(t, string(tr.log.text()), "a bug")
}
