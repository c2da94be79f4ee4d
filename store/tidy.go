package store

import "os"

// Limits of a shelf, at which it is tidied.
const (
	// mostSegments is how many segments there may be.
	mostSegments = 8
	// mostStrangers is how many records of other sessions than the store's are
	// looked at. They are drawn (a map is gone over at random), so that in time all
	// are.
	mostStrangers = 512
)

// close writes what is not yet written. If this store has kept something it also tidies:
// who makes new files clears away old ones. sessions are those of the store.
func (k *shelf) close(sessions []*Session) {
	k.load.Do(func() {}) // or it would be opened later
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.own != nil {
		k.own.flush()
		k.tidy(sessions)
	}
	for _, g := range k.segments {
		g.close()
	}
	k.places, k.segments, k.own, k.refused = nil, nil, nil, true
}

// tidy makes one segment of several if there are too many, if half of their bytes no
// longer count, or if there is something of a file that is gone. It leaves out one that
// is most of all and still good, which would take the longest.
func (k *shelf) tidy(sessions []*Session) {
	spoiled := k.forget(sessions)
	var all, counting int64
	counts := make(map[*segment]int64) // bytes that count
	for _, p := range k.places {
		size := int64(recordHead) + p.size
		counts[p.segment] += size
		counting += size
	}
	for _, g := range k.segments {
		all += g.size
	}
	if len(spoiled) == 0 && len(k.segments) <= mostSegments && all <= 2*counting {
		return
	}
	k.merge(func(g *segment) bool { return spoiled[g] || g.size <= all/2 || 2*counts[g] <= g.size })
}

// forget drops what is kept of files that are gone, and returns the segments that have
// had some of it.
func (k *shelf) forget(sessions []*Session) (spoiled map[*segment]bool) {
	here := make(map[uint64]bool, len(sessions))
	for _, s := range sessions {
		here[hash64(s.Path)] = true
	}
	spoiled = make(map[*segment]bool)
	strangers := 0
	for key, p := range k.places {
		if here[key.file] {
			continue
		}
		if strangers++; strangers > mostStrangers {
			break
		}
		path, ok := p.path()
		if _, err := os.Lstat(path); !ok || isGone(err) {
			delete(k.places, key)
			spoiled[p.segment] = true
		}
	}
	return spoiled
}

// merge makes a new segment of what counts in those that are wanted and that no other
// process appends to, and removes them. One that is removed while another process reads
// it stays for that one.
func (k *shelf) merge(wanted func(*segment) bool) {
	old := make(map[*segment]bool)
	for _, g := range k.segments {
		old[g] = wanted(g) && g.lock()
	}
	next := newSegment(k.dir)
	if next == nil {
		return
	}
	defer next.close()
	for key, p := range k.places {
		if old[p.segment] && !next.copy(key, p) {
			next.remove()
			return
		}
	}
	if !next.flush() {
		next.remove()
		return
	}
	for g, is := range old {
		if is {
			g.remove()
		}
	}
}
