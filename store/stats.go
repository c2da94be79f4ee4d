package store

import (
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
)

// Stats counts what a Store has done since it was opened.
type Stats struct {
	Sessions  int
	Scanned   int   // sessions that have a view
	Restored  int64 // first views that were made of an index kept on disk
	Heads     int64 // files whose header was read
	Scans     int64 // scans of files or of what they had grown by
	ScanBytes int64 // bytes that these read
	Compared  int64 // bytes that were read again to see whether they are the same
	BodyReads int64 // reads of entries
	BodyBytes int64 // bytes that these read
	Surveys   int64 // times that the directories were gone over
	OpenFiles int
}

// counts are the numbers behind Stats.
type counts struct {
	heads, restored, scans, scanBytes, compared, bodyReads, bodyBytes, surveys atomic.Int64
}

// Stats returns what the store has done so far.
func (s *Store) Stats() Stats {
	sessions := s.Sessions()
	st := Stats{
		Sessions:  len(sessions),
		Restored:  s.counts.restored.Load(),
		Heads:     s.counts.heads.Load(),
		Scans:     s.counts.scans.Load(),
		ScanBytes: s.counts.scanBytes.Load(),
		Compared:  s.counts.compared.Load(),
		BodyReads: s.counts.bodyReads.Load(),
		BodyBytes: s.counts.bodyBytes.Load(),
		Surveys:   s.counts.surveys.Load(),
		OpenFiles: s.files.len(),
	}
	for _, x := range sessions {
		if x.view.Load() != nil {
			st.Scanned++
		}
	}
	return st
}

// A counted file adds the bytes that are read of it to n.
type counted struct {
	file io.ReaderAt
	n    *atomic.Int64
}

func (c counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.file.ReadAt(p, off)
	c.n.Add(int64(n))
	return n, err
}

// chunkBytes is how much of a file is scanned at once: so much that the calls do
// not count, which from 128 KiB on they do not. keepBytes is the largest buffer that is kept: a line of hundreds of
// megabytes must not stay in memory after it was read.
const (
	chunkBytes = 256 << 10
	keepBytes  = 4 << 20
)

var lineReaders = sync.Pool{New: func() any { return newLineReader(chunkBytes) }}

// scan has x take what the file has up to offset to.
func (s *Store) scan(x *index, file *openFile, to int64, atRest bool) error {
	r := lineReaders.Get().(*lineReader)
	s.counts.scans.Add(1)
	err := x.scan(r, counted{file, &s.counts.scanBytes}, to, atRest)
	r.reset(nil, 0, 0, nil)
	if len(r.buf) <= keepBytes {
		lineReaders.Put(r)
	}
	return err
}

// holds tells whether the file still has the bytes of the anchor.
func (s *Store) holds(a anchor, file *openFile) (bool, error) {
	return a.holds(counted{file, &s.counts.compared})
}

// same tells whether the file still has all the bytes that x has read.
func (s *Store) same(file *openFile, x *index) (bool, error) {
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, io.NewSectionReader(counted{file, &s.counts.compared}, 0, x.seen))
	return n == x.seen && sum.Sum32() == x.sum, err
}
