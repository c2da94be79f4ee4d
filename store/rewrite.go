package store

import (
	"time"
)

// leave marks the session as one that is no longer in the store.
func (s *Session) leave() outcome {
	s.gone.Store(true)
	s.index = nil
	s.store.files.forget(s)
	return outcome{verdict: replaced, left: true}
}

// rewritten waits until a file that is being rewritten in place, as pi does when
// it migrates a session, is whole again: pi empties it and writes it line by line.
func (s *Session) rewritten(now time.Time, f facts) outcome {
	g := &s.growth
	if g.broken.IsZero() {
		g.broken = now
	}
	if f != g.settling {
		g.settling, g.settled = f, now
	}
	late := now.Sub(g.broken) >= rewriteWithin
	quiet := now.Sub(g.settled) >= lookAgain*4/5
	if late || !s.store.watches() || quiet && s.whole(f) {
		return s.leave()
	}
	return outcome{verdict: rewriting, again: lookAgain}
}

// whole tells whether the file begins with a header and ends with a newline.
func (s *Session) whole(f facts) bool {
	file, err := openRaw(s.Path, 0)
	if err != nil {
		return false
	}
	defer file.close()
	if _, err := newHeadReader().read(file, f.size); err != nil {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], f.size-1)
	return err == nil && last[0] == '\n'
}
