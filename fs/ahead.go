package fs

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// An ahead does, in the background, what is likely to be asked for next. Searches go
// through the sessions in the order in which directories list them, or from the last to
// the first, and read the same file of each: the files of those that follow are made
// while the reader is busy with what it has. When there is no such reader, the sessions that were written last are
// scanned.
type ahead struct {
	t       *Tree
	workers int
	wake    chan struct{} // has room for one

	mu      sync.Mutex
	readers map[kind]*reader
	unseen  []*store.Session // to be scanned, the next one last; nil before the first
	left    int64            // bytes that may still be scanned unasked
	scans   bool             // one of them is being scanned
}

const (
	// warmBytes is how much of a store is scanned before anybody asks for it.
	warmBytes = 1 << 30
	// strayPlaces is how far the places that one search asks for may be apart: some
	// sessions do not have what it reads, and some searches have several threads.
	strayPlaces = 8
	// aheadPlaces is how many sessions are made ready ahead of a reader at most, and
	// 1/aheadShare of the cache what their files may take.
	aheadPlaces = 64
	aheadShare  = 4
	// maxWorkers is how many sessions are made ready at once at most.
	maxWorkers = 4
)

// A reader is who goes through the sessions and reads a file of one kind of each.
type reader struct {
	at    int     // the place of the session whose file was asked for last
	way   int     // 1 or -1: to where it goes; 0 if it has not gone to another yet
	reads bool    // it reads the files, and does not only ask how long they are
	jobs  int     // how many files are being made for it
	sizes []int64 // of the files that have been made of the places that follow
}

// newAhead returns the ahead of a tree.
func newAhead(t *Tree) *ahead {
	return &ahead{
		t:       t,
		workers: min(runtime.NumCPU(), maxWorkers),
		wake:    make(chan struct{}, 1),
		readers: make(map[kind]*reader),
		left:    warmBytes,
	}
}

// note tells that the length of a file is asked for or, if read is set, its text.
func (a *ahead) note(n Node, read bool) {
	k, slot, _ := n.ID().parts()
	if k != kindTranscript && k != kindContext && k != kindContextJSON {
		return
	}
	st := a.t.layout().bySlot[slot]
	if st == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.readers[k]
	if r == nil {
		r = &reader{at: st.place}
		a.readers[k] = r
	}
	r.arrive(st.place, read)
	if r.way != 0 {
		a.rouse()
	}
}

// arrive takes note of the place that a reader has come to.
func (r *reader) arrive(place int, read bool) {
	by := place - r.at
	if by < -strayPlaces || by > strayPlaces {
		*r = reader{at: place, reads: read, jobs: r.jobs}
		return
	}
	r.reads = r.reads || read
	if r.way == 0 {
		r.way = cmp.Compare(by, 0)
	}
	if on := by * r.way; on > 0 {
		r.at = place
		r.sizes = r.sizes[min(on, len(r.sizes)):]
	}
}

// wants tells whether more is to be made ahead of the reader, with so many workers. Who
// reads needs a processor together with who answers it: they wait for each other. Who
// asks for lengths mostly waits.
func (r *reader) wants(cacheBytes int64, workers int) bool {
	if r.reads {
		workers = max(1, workers-1)
	}
	var bytes int64
	for _, size := range r.sizes {
		bytes += size
	}
	return r.way != 0 && r.jobs < workers && len(r.sizes) < aheadPlaces && bytes < cacheBytes/aheadShare
}

// rouse wakes a worker.
func (a *ahead) rouse() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// run works until ctx ends.
func (a *ahead) run(ctx context.Context) {
	for range a.workers {
		go a.work(ctx)
	}
}

// work has a thread of its own, so that the system decides, and not the runtime, when
// it has to stand back for who answers the kernel.
func (a *ahead) work(ctx context.Context) {
	runtime.LockOSThread()
	for ctx.Err() == nil {
		if job := a.next(); job != nil {
			a.rouse() // there may be more, for another worker
			a.do(job)
			continue
		}
		select {
		case <-ctx.Done():
		case <-a.wake:
		}
	}
}

// do does a job. One that panics is done: who asks for the same is told of an error.
func (a *ahead) do(job func()) {
	defer func() {
		if what := recover(); what != nil {
			a.t.log.panicked(what)
		}
	}()
	job()
}

// next returns what to do next, nil if there is nothing. Errors are left to be told to
// who asks for what they are about.
func (a *ahead) next() (job func()) {
	seats := a.t.layout().seats
	a.mu.Lock()
	defer a.mu.Unlock()
	jobs := 0
	for k, r := range a.readers {
		jobs += r.jobs
		place := r.at + r.way*(len(r.sizes)+1)
		if 0 <= place && place < len(seats) && r.wants(a.t.options.CacheBytes, a.workers) {
			r.jobs++
			r.sizes = append(r.sizes, 0)
			reads := r.reads
			return func() {
				var size int64
				defer func() { a.made(r, place, size) }()
				size = a.make(k, seats[place], reads)
			}
		}
	}
	if a.unseen == nil {
		a.unseen = slices.Clone(a.t.store.Sessions())
		slices.SortFunc(a.unseen, func(a, b *store.Session) int { return cmp.Compare(a.Stat().MtimeNS, b.Stat().MtimeNS) })
	}
	if len(a.unseen) == 0 || a.scans || jobs > 0 {
		return nil
	}
	s := a.unseen[len(a.unseen)-1]
	a.unseen = a.unseen[:len(a.unseen)-1]
	if a.left -= s.Stat().Size; a.left < 0 || len(a.unseen) == 0 {
		a.unseen = []*store.Session{} // no longer holds on to those that are gone
	}
	if a.left < 0 {
		return nil
	}
	a.scans = true
	return func() {
		defer a.scanned()
		_, _ = s.View()
	}
}

// made takes note of a file that has been made for a reader.
func (a *ahead) made(r *reader, place int, sizeBytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r.jobs--
	if i := (place-r.at)*r.way - 1; 0 <= i && i < len(r.sizes) {
		r.sizes[i] = sizeBytes
	}
}

// scanned takes note of a session that has been scanned unasked.
func (a *ahead) scanned() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scans = false
}

// make makes a file of a session and returns its length: 0 if the session has no such
// file. With text it makes all of it, unless it is so long that it is better made while
// it is read.
func (a *ahead) make(k kind, st *seat, text bool) (sizeBytes int64) {
	s := a.t.session(st.session)
	v, _, err := s.view()
	if err != nil {
		return 0
	}
	var file assembly = transcriptFile{s}
	if k != kindTranscript {
		at := v.Tree.Current()
		if at == tree.None {
			return 0
		}
		file = contextFile{s, k, uint32(at)}
	}
	c, err := file.composite()
	if err != nil {
		return 0
	}
	if text && c.size() <= a.t.options.CacheBytes/aheadShare {
		_ = c.load()
	}
	return c.size()
}
