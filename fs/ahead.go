package fs

import (
	"context"
	"sync"

	"github.com/pifs/pifs/tree"
)

// An ahead makes what is likely to be asked for next while a reader is busy with
// what it has: searches go through the sessions in the order in which directories
// list them, and read the same file of each.
type ahead struct {
	t    *Tree
	jobs chan job

	mu   sync.Mutex
	last map[kind]int // the place of the session whose file of a kind was asked for last
}

// A job is to make a file of the session at a place in the order of all.
type job struct {
	kind  kind
	place int
}

// aheadSessions is how many sessions are made ready ahead of a reader. What is
// made takes room in the cache from what has been read.
const aheadSessions = 3

func newAhead(t *Tree) *ahead {
	return &ahead{t: t, jobs: make(chan job, aheadSessions), last: make(map[kind]int)}
}

// note tells that the size of a node was asked for. If the same was asked of the
// session before, those that follow are likely to be next.
func (a *ahead) note(n Node) {
	k, slot, _ := n.ID().parts()
	if k != kindTranscript && k != kindContext && k != kindContextJSON {
		return
	}
	st := a.t.layout().bySlot[slot]
	if st == nil {
		return
	}
	a.mu.Lock()
	last, ok := a.last[k]
	a.last[k] = st.place
	a.mu.Unlock()
	if !ok || st.place != last+1 {
		return
	}
	for i := range aheadSessions {
		select {
		case a.jobs <- job{k, st.place + 1 + i}:
		default: // there is enough to do
			return
		}
	}
}

// run does jobs until ctx ends.
func (a *ahead) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-a.jobs:
			a.do(j)
		}
	}
}

// do makes a file if it is not there. Its errors are told to who reads it.
func (a *ahead) do(j job) {
	seats := a.t.layout().seats
	if j.place >= len(seats) {
		return
	}
	s := a.t.session(seats[j.place].session)
	v, _, err := s.view()
	if err != nil {
		return
	}
	file := compositeFile{transcriptFile{s}}
	if j.kind != kindTranscript {
		at := v.Tree.Current()
		if at == tree.None {
			return
		}
		file = compositeFile{contextFile{s, j.kind, uint32(at)}}
	}
	if _, known := file.KnownSize(); !known {
		_, _ = file.Size()
	}
}
