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

// tidy makes one segment of all if there are too many, if half of their bytes no
// longer count, or if there is something of a file that is gone.
func (k *shelf) tidy(sessions []*Session) {
	gone := k.forget(sessions)
	var all, live int64
	for _, g := range k.segments {
		all += g.size
	}
	for _, p := range k.places {
		live += int64(recordHead) + p.size
	}
	if gone || len(k.segments) > mostSegments || all-live > live {
		k.merge()
	}
}

// forget drops what is kept of files that are gone, and tells whether there was any.
func (k *shelf) forget(sessions []*Session) (gone bool) {
	here := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		here[s.Path] = true
	}
	strangers := 0
	for key, p := range k.places {
		path, ok := p.path()
		if ok && here[path] {
			continue
		}
		if strangers++; strangers > mostStrangers {
			break
		}
		if _, err := os.Lstat(path); !ok || isGone(err) {
			delete(k.places, key)
			gone = true
		}
	}
	return gone
}

// merge makes a new segment of what counts in those that no other process appends to,
// and removes them. What is removed while another process reads it stays for that one.
func (k *shelf) merge() {
	mine := make(map[*segment]bool)
	for _, g := range k.segments {
		if g.lock() {
			mine[g] = true
		}
	}
	next := newSegment(k.dir)
	if next == nil {
		return
	}
	defer next.close()
	for key, p := range k.places {
		if !mine[p.segment] {
			continue
		}
		copied := true
		withBuffer(func(buf *[]byte) {
			if body, ok := p.read(buf); ok {
				_, copied = next.append(key, body)
			}
		})
		if !copied {
			next.remove()
			return
		}
	}
	if !next.flush() {
		next.remove()
		return
	}
	for g := range mine {
		g.remove()
	}
}
