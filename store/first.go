package store

// first makes the first view of a file whose facts are now f: of the index that was
// kept of it if nobody has written to it since, else by a scan. Nobody has to be told
// of a first view.
func (s *Session) first(f facts, atRest bool) outcome {
	before := *s.facts.Load()
	kept, proof := s.recall(f)
	if kept != nil && f.sameBytes(&proof) && !(kept.open() && atRest) {
		s.restore(kept, f, proof)
	} else {
		if o := s.scanFirst(kept, atRest); o.err != nil {
			return o
		}
		s.keep()
	}
	return outcome{changed: *s.facts.Load() != before}
}

// restore makes the first view of an index that was kept of the file, without opening
// that.
func (s *Session) restore(kept *index, f, proof facts) {
	s.store.counts.restored.Add(1)
	s.index, s.growth.kept, s.growth.checked = kept, kept.seen, f.ctimeNS
	s.publish(f, proof)
}

// scanFirst makes the first view of what the file has now. Of one that begins with the
// bytes that kept, which may be nil, has seen only the others are scanned.
func (s *Session) scanFirst(kept *index, atRest bool) outcome {
	return s.scanning(true, func(file *openFile, f facts) (*index, error) {
		if kept != nil && s.resume(kept, file, f, atRest) {
			s.store.counts.restored.Add(1)
			return kept, nil
		}
		x := newIndex(s.head)
		if err := s.store.scan(x, file, f.size, atRest); err != nil {
			return nil, err
		}
		if x.migrator == nil {
			return nil, errRewritten
		}
		x.compact()
		return x, s.mustHold(x.anchor, file)
	})
}

// resume tells whether the file, whose facts are f, begins with the bytes that kept has
// seen, and has kept take the rest. A last line that counted as damaged, and what the
// rest changes among the entries before it, would be told otherwise by a scan: then it
// does not resume.
func (s *Session) resume(kept *index, file *openFile, f facts, atRest bool) bool {
	if kept.tail == tailDamaged || kept.seen > f.size {
		return false
	}
	if same, err := s.store.same(file, kept); !same || err != nil {
		return false
	}
	return s.grow(kept, file, f, atRest) == nil && kept.builder.Tree().Revision() == 0
}
