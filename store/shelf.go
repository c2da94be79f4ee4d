package store

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pifs/pifs/internal/packed"
)

// shelfRoom is how much larger than its session file what is kept of it may be. An
// index that is larger is no shorter way.
const shelfRoom = 8 << 10

// A shelf is a directory in which a store keeps what it has made of session files
// from one process to the next, under a name for each thing. It is only ever a
// shorter way to what a scan finds: what is damaged, missing or of another version is
// as good as none, and where nothing can be written nothing is.
//
// It has few files, the segments, since to make a file takes as long as to scan one
// that is not large. Each process that has something to keep makes a segment and
// appends to it; from the segments that it found it only reads. What comes later
// counts. When there are too many segments, or too much in them no longer counts, the
// next that has kept something makes one of those that no process appends to.
type shelf struct {
	dir  string // "" for no shelf
	zone string // the local time zone

	load sync.Once

	mu       sync.Mutex // guards what follows
	places   map[shelfKey]place
	segments []*segment
	own      *segment // the last of segments, nil before something is kept
	refused  bool     // nothing can be written
}

// A shelfKey says of which session file, and what, a record is: by hashes, since the
// path is in the record, too.
type shelfKey struct{ file, what uint64 }

// A place is where a record is.
type place struct {
	segment *segment
	off     int64
	size    int64 // of the record's body
}

// newShelf returns the shelf beside a memory's file, none if memory is "".
func newShelf(memory string) *shelf {
	if memory == "" {
		return &shelf{}
	}
	return &shelf{dir: filepath.Join(filepath.Dir(memory), "index"), zone: zone()}
}

// key is that of a record.
func (k *shelf) key(path, what string) shelfKey { return shelfKey{hash64(path), hash64(what + k.zone)} }

func hash64(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// open finds what is there when the shelf is first used.
func (k *shelf) open() {
	k.load.Do(func() {
		k.places = make(map[shelfKey]place)
		if info, err := os.Lstat(k.dir); err == nil && !info.IsDir() {
			k.refused = true // a link would lead to what is not ours
			return
		}
		entries, _ := os.ReadDir(k.dir) // in order of their names, that is, by age
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), segmentSuffix) {
				continue
			}
			if g := openSegment(filepath.Join(k.dir, e.Name())); g != nil {
				g.each(func(key shelfKey, p place) { k.places[key] = p })
				k.segments = append(k.segments, g)
			}
		}
	})
}

// read returns what is kept under the name what of a session file that has size
// bytes. It is in buf.
func (k *shelf) read(path, what string, size int64, buf *[]byte) (kept []byte, ok bool) {
	if k.dir == "" {
		return nil, false
	}
	k.open()
	p, ok := k.find(k.key(path, what))
	if !ok || p.size > size+shelfRoom {
		return nil, false
	}
	body, ok := p.read(buf)
	r := packed.NewReader(body)
	found := r.Text()
	return r.Rest(), ok && found == path
}

// find returns where a record can be read.
func (k *shelf) find(key shelfKey) (p place, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok = k.places[key]; ok && p.segment == k.own {
		ok = k.own.flush()
	}
	return p, ok
}

// write keeps something of a session file under the name what: what appendTo appends
// to a buffer. It takes the place of what was kept there.
func (k *shelf) write(path, what string, appendTo func(dst []byte) []byte) {
	if k.dir == "" {
		return
	}
	k.open()
	withBuffer(func(buf *[]byte) {
		*buf = appendTo(packed.AppendText(*buf, path))
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.refused {
			return
		}
		if k.own == nil {
			if k.own = newSegment(k.dir); k.own == nil {
				k.refused = true
				return
			}
			k.segments = append(k.segments, k.own)
		}
		key := k.key(path, what)
		p, ok := k.own.append(key, *buf)
		if k.refused = !ok; ok {
			k.places[key] = p
		}
	})
}

// flush writes what is not yet written.
func (k *shelf) flush() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.own != nil {
		k.refused = !k.own.flush()
		k.own.pending = nil
	}
}

// shelfBuffers has buffers for what is read and written.
var shelfBuffers = sync.Pool{New: func() any { return new([]byte) }}

// withBuffer calls f with an empty buffer, which f may replace by a larger one and
// must not keep.
func withBuffer(f func(buf *[]byte)) {
	buf := shelfBuffers.Get().(*[]byte)
	*buf = (*buf)[:0]
	f(buf)
	if cap(*buf) <= keepBytes {
		shelfBuffers.Put(buf)
	}
}
