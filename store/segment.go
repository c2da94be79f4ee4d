package store

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/packed"
)

// shelfVersion changes with what is kept on a shelf and how it is written, that is,
// with the rules of scanning, the form of an index and the numbers of model.Kind.
const shelfVersion = "0001"

// recordMagic begins each record of a segment.
const recordMagic = "pifs" + shelfVersion

// recordHead is how many bytes there are before a record's body: recordMagic, a
// checksum of what follows of them, one of the body, the key, and the body's length.
const recordHead = len(recordMagic) + 4 + 4 + 8 + 8 + 8

// segmentSuffix is that of the names of segments. What is before it sorts them by age.
const segmentSuffix = ".kept"

// pendingBytes is how much a segment gathers before it writes. A process that is
// killed loses that.
const pendingBytes = 256 << 10

// A segment is a file with records one after the other. Who has made it appends to
// it, and holds a lock (flock) as long as that may be; others read it, as far as its
// records are whole.
type segment struct {
	path    string
	file    rawFile
	size    int64  // with what is pending
	pending []byte // what is not yet written
	mtimeNS int64  // when it was opened
	made    bool   // by this process, which has the lock
	failed  bool   // something could not be written
}

// openSegment opens a segment to read it, nil if that cannot be done.
func openSegment(path string) *segment {
	file, err := openRaw(path, unix.O_NOFOLLOW)
	if err != nil {
		return nil
	}
	f, err := file.facts()
	if err != nil || !f.regular() {
		file.close()
		return nil
	}
	return &segment{path: path, file: file, size: f.size, mtimeNS: f.mtimeNS}
}

// newSegment makes a segment, nil if that cannot be done.
func newSegment(dir string) *segment {
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	path := filepath.Join(dir, fmt.Sprintf("%016x-%d%s", time.Now().UnixNano(), os.Getpid(), segmentSuffix))
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_CLOEXEC
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Open(path, flags, 0o600)
		return err
	})
	if err != nil {
		return nil
	}
	_ = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) // there may be no locks
	return &segment{path: path, file: rawFile(fd), made: true}
}

// each calls f with the records, as far as they are whole and of this version. The
// bodies are not read.
func (g *segment) each(f func(shelfKey, place)) {
	var head [recordHead]byte
	for off := int64(0); ; {
		if _, err := g.file.ReadAt(head[:], off); err != nil {
			return
		}
		key, size, ok := readHead(head[:])
		off += int64(recordHead)
		if !ok || size > g.size-off {
			return
		}
		f(key, place{g, off, size})
		off += size
	}
}

func readHead(head []byte) (key shelfKey, size int64, ok bool) {
	key.file = binary.LittleEndian.Uint64(head[8+4+4:])
	key.what = binary.LittleEndian.Uint64(head[8+4+4+8:])
	size = int64(binary.LittleEndian.Uint64(head[8+4+4+8+8:]))
	return key, size, string(head[:len(recordMagic)]) == recordMagic &&
		binary.LittleEndian.Uint32(head[8:]) == checksum(head[8+4:]) && size >= 0
}

// append appends a record. ok is false if that is not possible, now or ever.
func (g *segment) append(key shelfKey, body []byte) (p place, ok bool) {
	head := len(g.pending)
	g.pending = append(g.pending, recordMagic...)
	g.pending = binary.LittleEndian.AppendUint32(g.pending, 0)
	g.pending = binary.LittleEndian.AppendUint32(g.pending, checksum(body))
	g.pending = binary.LittleEndian.AppendUint64(g.pending, key.file)
	g.pending = binary.LittleEndian.AppendUint64(g.pending, key.what)
	g.pending = binary.LittleEndian.AppendUint64(g.pending, uint64(len(body)))
	binary.LittleEndian.PutUint32(g.pending[head+8:], checksum(g.pending[head+8+4:]))
	g.pending = append(g.pending, body...)
	g.size += int64(recordHead + len(body))
	p = place{g, g.size - int64(len(body)), int64(len(body))}
	if len(g.pending) >= pendingBytes {
		g.flush()
	}
	return p, !g.failed
}

// copy appends a record of another segment, unless that is damaged. ok is as of append.
func (g *segment) copy(key shelfKey, p place) (ok bool) {
	ok = true
	withBuffer(func(buf *[]byte) {
		if body, whole := p.read(buf); whole {
			_, ok = g.append(key, body)
		}
	})
	return ok
}

// flush writes what is pending, and tells whether all is written so far.
func (g *segment) flush() bool {
	for !g.failed && len(g.pending) > 0 {
		n, err := unix.Pwrite(int(g.file), g.pending, g.size-int64(len(g.pending)))
		if err != nil && err != unix.EINTR {
			g.failed = true // the disk is full
		}
		g.pending = g.pending[max(n, 0):]
	}
	if g.pending = g.pending[:0]; cap(g.pending) > 2*pendingBytes {
		g.pending = nil
	}
	return !g.failed
}

// read returns the body of a record, in buf.
func (p place) read(buf *[]byte) (body []byte, ok bool) {
	size := int64(recordHead) + p.size
	if int64(cap(*buf)) < size {
		*buf = make([]byte, size)
	}
	*buf = (*buf)[:size]
	if _, err := p.segment.file.ReadAt(*buf, p.off-int64(recordHead)); err != nil {
		return nil, false
	}
	body = (*buf)[recordHead:]
	return body, binary.LittleEndian.Uint32((*buf)[8+4:]) == checksum(body)
}

// path returns the path with which the body of a record begins.
func (p place) path() (path string, ok bool) {
	begin := make([]byte, min(p.size, unix.PathMax+2))
	if _, err := p.segment.file.ReadAt(begin, p.off); err != nil {
		return "", false
	}
	path = packed.NewReader(begin).Text()
	return path, path != ""
}

// lock tells whether no other process appends to the segment, nor will. Where there
// are no locks, that is so of an old one.
func (g *segment) lock() bool {
	if g.made {
		return true
	}
	switch unix.Flock(int(g.file), unix.LOCK_EX|unix.LOCK_NB) {
	case nil:
		return true
	case unix.EWOULDBLOCK:
		return false
	}
	return time.Since(time.Unix(0, g.mtimeNS)) > 24*time.Hour
}

func (g *segment) remove() { _ = unix.Unlink(g.path) }

func (g *segment) close() { g.file.close() }
