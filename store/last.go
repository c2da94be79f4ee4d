package store

import (
	"bytes"

	"github.com/pifs/pifs/model"
)

// lastWindow is how many bytes at the end of a file are looked at first for its
// last message, and mostLast how many at the most before the file is scanned.
const (
	lastWindow = 32 << 10
	mostLast   = 4 << 20
)

// lastSeen is what LastMessage found in a file that had these facts.
type lastSeen struct {
	facts facts
	ms    int64
}

// LastMessage returns the time of the last user or assistant message in the file
// that has a time, in Unix milliseconds: the message's own, else the entry's;
// model.NoTime if there is none. It is the date that a list of sessions needs, so a
// session that has not been scanned is read from its end, not whole.
func (s *Session) LastMessage() (int64, error) {
	if v := s.view.Load(); v != nil {
		return v.Summary.LastMessage, nil
	}
	now := *s.facts.Load()
	if seen := s.last.Load(); seen != nil && seen.facts == now {
		return seen.ms, nil
	}
	ms, found, err := s.lastFromEnd(now.size)
	if err != nil {
		return model.NoTime, err
	}
	if !found {
		v, err := s.View()
		if err != nil {
			return model.NoTime, err
		}
		return v.Summary.LastMessage, nil
	}
	s.last.Store(&lastSeen{now, ms})
	return ms, nil
}

// lastFromEnd looks for the last message from the end of the file, which has size
// bytes. found is false if it was not among the last mostLast bytes.
func (s *Session) lastFromEnd(size int64) (ms int64, found bool, err error) {
	for window := int64(lastWindow); window <= mostLast; window *= 4 {
		from := max(0, size-window)
		text := make([]byte, size-from)
		err := s.store.files.with(s, func(file *openFile) error {
			_, err := file.ReadAt(text, from)
			return err
		})
		if err != nil {
			return 0, false, err
		}
		if from > 0 { // the first line may have begun before
			text = text[bytes.IndexByte(text, '\n')+1:]
		}
		if ms, found := lastActivity(text); found || from == 0 {
			return ms, true, nil
		}
	}
	return 0, false, nil
}

// lastActivity returns the time of the last message in lines that has one.
func lastActivity(lines []byte) (ms int64, found bool) {
	for len(lines) > 0 {
		begin := bytes.LastIndexByte(lines[:len(lines)-1], '\n') + 1
		if f, ok := model.Scan(lines[begin:]); ok && f.Activity != model.NoTime {
			return f.Activity, true
		}
		lines = lines[:begin]
	}
	return model.NoTime, false
}
