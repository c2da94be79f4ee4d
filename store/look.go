package store

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Times of looking at a file.
const (
	// restAfter is how long a file must have been unchanged for its last line, if
	// that is no JSON, to be taken as damaged and not as being written.
	restAfter = 2 * time.Second
	// rewriteWithin is how long a file that is being rewritten in place keeps its
	// last good view.
	rewriteWithin = time.Second
	// lookAgain is the time between two looks at a file that is being written.
	lookAgain = 25 * time.Millisecond
)

// A verdict is what a look at a session's file finds.
type verdict uint8

const (
	intact    verdict = iota // the file has the bytes that were read, and maybe more
	rewriting                // it has not, but may be in the middle of being rewritten
	replaced                 // it is another one, or none
)

// An outcome is what a look at a session's file gives.
type outcome struct {
	verdict verdict
	left    bool          // this look has found out that the session is replaced
	changed bool          // the session's view or facts are newer than before
	again   time.Duration // after which to look again, 0 if there is no need
	err     error         // the file could not be read; all stays as it is
}

// look compares the session with its file and takes what was appended. If wanted is
// set somebody waits for a view: the first one is made, and if others are looking
// they are waited for.
func (s *Session) look(wanted bool) outcome {
	if wanted {
		s.mu.Lock()
	} else if !s.mu.TryLock() {
		return outcome{again: lookAgain} // a first scan can take long, and other sessions change too
	}
	defer s.mu.Unlock()
	if s.gone.Load() {
		return outcome{verdict: replaced}
	}
	now := time.Now()
	f, err := statPath(s.Path)
	switch {
	case isGone(err) || err == nil && (f.fileID != s.id || !f.regular()):
		return s.leave()
	case err != nil:
		return outcome{err: err}
	}
	if !s.growth.broken.IsZero() {
		return s.rewritten(now, f)
	}
	o := s.compare(now, f, wanted)
	switch {
	case errors.Is(o.err, errRewritten):
		return s.rewritten(now, f)
	case errors.Is(o.err, ErrReplaced):
		return s.leave()
	}
	return o
}

// isGone tells whether err means that there is no file at a path.
func isGone(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// compare looks at a file whose facts are now f.
func (s *Session) compare(now time.Time, f facts, wanted bool) outcome {
	old := *s.facts.Load()
	if s.index == nil && !wanted {
		return s.compareHead(old, f)
	}
	if f != old || s.growth.since.IsZero() {
		s.growth.since = now
	}
	rest := s.growth.restIn(now, f)
	x := s.index
	var o outcome
	switch {
	case x == nil:
		o = s.first(f, rest == 0)
	case f.size < x.seen:
		return outcome{err: errRewritten}
	case f.size > x.seen || x.open() && rest == 0:
		o = s.scan(rest == 0)
	default:
		o = s.compareAll(now, f, old)
	}
	if o.again == 0 && s.index != nil && s.index.open() {
		o.again = max(rest, lookAgain)
	}
	return o
}

// restIn returns how long the file with the facts f must still be left alone to be
// at rest. Its mtime tells since when it is, unless its server's clock is wrong.
func (g *growth) restIn(now time.Time, f facts) time.Duration {
	age := max(now.Sub(g.since), now.Sub(time.Unix(0, f.mtimeNS)))
	return max(0, restAfter-age)
}

// compareHead looks at a file of which only the head has been read.
func (s *Session) compareHead(old, f facts) outcome {
	if f == old {
		return outcome{}
	}
	err := s.store.files.with(s, func(file *openFile) error {
		held, err := s.head.holds(file)
		if err == nil && !held {
			err = errRewritten
		}
		return err
	})
	if err != nil {
		return outcome{err: err}
	}
	s.facts.Store(&f)
	return outcome{changed: true}
}

// compareAll looks at a file that has the size that it had. If it was changed it may
// have other bytes, so that all are read again; but not within a moment of a write,
// since that sets the mtime first and then the size.
func (s *Session) compareAll(now time.Time, f, old facts) outcome {
	if f.ctimeNS != s.growth.checked {
		if age := now.Sub(time.Unix(0, f.mtimeNS)); 0 <= age && age < lookAgain {
			return outcome{again: lookAgain}
		}
		same := false
		err := s.store.files.with(s, func(file *openFile) (err error) {
			same, err = s.store.same(file, s.index)
			return err
		})
		switch {
		case err != nil:
			return outcome{err: err}
		case !same:
			return outcome{err: errRewritten}
		}
		s.growth.checked = f.ctimeNS
	}
	if f == old {
		return outcome{}
	}
	s.publish(f, provenBy(f, now))
	return outcome{changed: true}
}

// scan has the index take what the file has grown by and publishes a view.
func (s *Session) scan(atRest bool) outcome {
	// The bytes that were there are known to be the same by an anchor only, which is no
	// proof for later processes.
	return s.scanning(false, func(file *openFile, f facts) (*index, error) {
		return s.index, s.grow(s.index, file, f, atRest)
	})
}

// scanning publishes a view of the index that take returns, which is given the file and
// its facts. whole tells that take has read all of the file.
func (s *Session) scanning(whole bool, take func(file *openFile, f facts) (*index, error)) outcome {
	var (
		now = time.Now()
		f   facts
		x   *index
	)
	err := s.store.files.with(s, func(file *openFile) (err error) {
		if f, err = file.facts(); err != nil {
			return err
		}
		x, err = take(file, f)
		return err
	})
	if err != nil {
		return outcome{err: err}
	}
	s.index = x
	// What the new entries have changed among the old ones must not change under
	// who reads those: a session whose past has changed is another one.
	if x.builder.Tree().Revision() > 0 {
		return outcome{err: ErrReplaced}
	}
	s.growth.checked = f.ctimeNS
	var proof facts
	if whole {
		proof = provenBy(f, now)
	}
	s.publish(f, proof)
	return outcome{changed: true}
}

// grow has x take what the file, whose facts are f, has more than x has seen. What was
// there before must still be there after the new bytes have been read, or they are
// another file's.
func (s *Session) grow(x *index, file *openFile, f facts, atRest bool) error {
	before := x.anchor
	if err := s.store.scan(x, file, f.size, atRest); err != nil {
		return err
	}
	return s.mustHold(before, file)
}

// mustHold returns errRewritten if the file no longer has the bytes of the anchor.
func (s *Session) mustHold(a anchor, file *openFile) error {
	held, err := s.store.holds(a, file)
	if err == nil && !held {
		err = errRewritten
	}
	return err
}

// publish makes a view of the index as it is now, of a file whose facts are f. proof is
// as provenBy returns it.
func (s *Session) publish(f, proof facts) {
	s.growth.proof = proof
	s.facts.Store(&f)
	s.view.Store(s.index.view(s, f))
}
