package store

import (
	"runtime"
	"sync"
)

const (
	// probeBatch is how many files are handed over at once, and probeQueue how many
	// such batches may wait.
	probeBatch = 64
	probeQueue = 16
)

// A probing looks at files, many of them with all processors, while others are still
// being found.
type probing struct {
	store *Store
	batch []*file      // not yet handed over
	queue chan []*file // nil before the first batch
	heads *headReader  // of the goroutine that adds files
	idle  int          // workers that may still be started

	workers sync.WaitGroup
	mu      sync.Mutex
	changed []*Session // whose files have changed
}

func (s *Store) newProbing() *probing {
	return &probing{store: s, idle: max(2, runtime.GOMAXPROCS(0))}
}

// add has a file looked at. Nobody else uses it until the end of the probing.
func (p *probing) add(f *file) {
	p.batch = append(p.batch, f)
	if len(p.batch) == probeBatch {
		p.hand(p.batch)
		p.batch = make([]*file, 0, probeBatch)
	}
}

// hand gives a batch to the workers, one more of them if there may be. If they have
// enough to do, the caller does it.
func (p *probing) hand(batch []*file) {
	if p.queue == nil {
		p.queue = make(chan []*file, probeQueue)
	}
	if p.idle > 0 {
		p.idle--
		p.workers.Go(func() { p.work(newHeadReader()) })
	}
	select {
	case p.queue <- batch:
	default:
		p.probe(batch, p.reader())
	}
}

// work looks at batches until no more come.
func (p *probing) work(heads *headReader) {
	for batch := range p.queue {
		p.probe(batch, heads)
	}
}

func (p *probing) probe(batch []*file, heads *headReader) {
	for _, f := range batch {
		if p.store.probeFile(f, heads) {
			p.mu.Lock()
			p.changed = append(p.changed, f.session)
			p.mu.Unlock()
		}
	}
}

// reader returns the reader of the goroutine that adds files.
func (p *probing) reader() *headReader {
	if p.heads == nil {
		p.heads = newHeadReader()
	}
	return p.heads
}

// end waits until all files have been looked at, and helps. It returns the sessions
// whose files have changed.
func (p *probing) end() []*Session {
	if len(p.batch) > 0 {
		p.probe(p.batch, p.reader())
	}
	if p.queue != nil {
		close(p.queue)
		p.work(p.reader())
		p.workers.Wait()
	}
	return p.changed
}
