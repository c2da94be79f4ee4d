package store

import "sort"

// spans says where in the file each entry's line stands, in eight bytes an entry:
// an entry ends one byte, the newline, before the next one starts, except where a
// gap is noted. Like the other columns of an index it is only ever appended to, so
// that a copy of the struct stays true while the original grows.
type spans struct {
	starts []int64
	gaps   []gap
	end    int64 // of the last entry
}

// A gap is what stands between an entry's newline and the next entry: damaged and
// blank lines, or white space behind a line that was read before it was ended.
type gap struct {
	after int32
	bytes int64
}

// add takes the next entry.
func (s *spans) add(off, length int64) {
	if n := len(s.starts); n > 0 {
		if bytes := off - s.end - 1; bytes != 0 {
			s.gaps = append(s.gaps, gap{int32(n - 1), bytes})
		}
	}
	s.starts = append(s.starts, off)
	s.end = off + length
}

// at returns the offset and the length of entry i.
func (s *spans) at(i int) (off, length int64) {
	off = s.starts[i]
	if i == len(s.starts)-1 {
		return off, s.end - off
	}
	end := s.starts[i+1] - 1
	if g := sort.Search(len(s.gaps), func(g int) bool { return int(s.gaps[g].after) >= i }); g < len(s.gaps) && int(s.gaps[g].after) == i {
		end -= s.gaps[g].bytes
	}
	return off, end - off
}

// compact gives up what append has reserved beyond the need.
func (s *spans) compact() {
	s.starts = append(make([]int64, 0, len(s.starts)), s.starts...)
	s.gaps = append(make([]gap, 0, len(s.gaps)), s.gaps...)
}
