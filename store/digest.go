package store

import (
	"context"

	"github.com/pifs/pifs/model"
)

// A Digest is what a list tells of a session. It does not need a scan if the store
// remembers the session ([Options.Memory]) and nobody has written to it since.
type Digest struct {
	Session *Session
	Summary Summary
	Mtime   int64 // Unix nanoseconds
}

// Header returns the session's header.
func (d Digest) Header() model.Header { return d.Session.Header() }

// FirstMessage returns all of the text of which Summary.FirstMessage is the
// beginning. If that was cut, the session has to be scanned.
func (d Digest) FirstMessage() (string, error) {
	if !d.Summary.FirstMessageCut {
		return d.Summary.FirstMessage, nil
	}
	v, err := d.Session.View()
	if err != nil {
		return "", err
	}
	return v.FirstMessage()
}

// Digest returns the view's digest.
func (v *View) Digest() Digest { return Digest{v.Session, v.Summary, v.Mtime} }

// Digest returns the digest of the session's newest state. Errors are those of
// View.
func (s *Session) Digest() (Digest, error) {
	if v := s.view.Load(); v == nil && !s.gone.Load() {
		now := *s.facts.Load()
		if summary, ok := s.store.memory.recall(s.Path, now); ok {
			return Digest{s, summary, now.mtimeNS}, nil
		}
	}
	v, err := s.View()
	if err != nil {
		return Digest{}, err
	}
	s.store.memory.note(s.Path, *v.proven.Load(), v.Summary)
	return v.Digest(), nil
}

// DigestAll calls each with the digest of every session, one at a time, as
// ScanAll does with views.
func (s *Store) DigestAll(ctx context.Context, workers int, each func(*Session, Digest, error)) error {
	return forAll(ctx, s, workers, (*Session).Digest, each)
}
