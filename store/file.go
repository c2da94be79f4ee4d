package store

import "errors"

// A file is a *.jsonl file that a survey has found, and what was made of it.
type file struct {
	found
	facts  facts  // as of when it was opened
	head   *head  // nil if it is no session
	reason string // why it is none
	// unreadable tells that this is not known, as the file cannot be read
	unreadable bool
	session    *Session // nil if it is none, or shows at another path
}

// unread tells that the file has not been opened yet, or could not be.
func (f *file) unread() bool { return f.facts == facts{} }

// silent tells that nobody tells when the file is written to: it is not in a watched
// directory, or has a name in another one.
func (f *file) silent() bool { return f.unheard || f.facts.links > 1 }

// probeFile finds out whether a file is a session. changed tells that it is the
// one that it was, but has changed.
func (s *Store) probeFile(f *file, heads *headReader) (changed bool) {
	if !f.unread() {
		switch now, err := statPath(f.path); {
		case err != nil:
		case f.session == nil && now == f.facts:
			return false
		case f.session != nil && !f.session.gone.Load() && now.fileID == f.session.id:
			return now != *f.session.facts.Load()
		}
	}
	f.session = nil
	s.counts.heads.Add(1)
	f.readHead(heads)
	if f.head != nil {
		f.session = s.newSession(f)
	}
	return false
}

// readHead finds out whether a file that was never seen, or is another one now, is
// a session.
func (f *file) readHead(heads *headReader) {
	*f = file{found: f.found}
	raw, err := openRaw(f.path, 0)
	if err == nil {
		defer raw.close()
		f.facts, err = raw.facts()
	}
	switch {
	case err != nil:
	case !f.facts.regular():
		err = notSession("no regular file")
	default:
		f.head, err = heads.read(raw, f.facts.size)
	}
	if err != nil && !isGone(err) {
		f.refuse(err)
	}
}

// refuse takes note of why the file is no session, or cannot be read.
func (f *file) refuse(err error) {
	if skip := notSession(""); errors.As(err, &skip) {
		f.reason = skip.Error()
	} else {
		f.reason, f.unreadable = reasonOf(err), true
	}
}
