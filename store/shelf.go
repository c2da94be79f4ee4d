package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/internal/packed"
)

// shelfVersion changes with what is kept on a shelf and how it is written, that is,
// with the rules of scanning, the form of an index and the numbers of model.Kind.
const shelfVersion = 1

// shelfMagic begins the files of a shelf.
const shelfMagic = "pifs kept\n"

// keptBytes is the size from which on what is made of a session file is kept: a
// smaller one is scanned in about the time that it takes to open a file.
const keptBytes = 64 << 10

// shelfRoom is how much larger than its session file a file of a shelf may be, with
// the path of that in it. An index that is larger than its file is no shorter way.
const shelfRoom = 8 << 10

// strangersLooked is at how many files of other sessions than the store's tidy looks
// at most. They are drawn, so that in time all are looked at.
const strangersLooked = 512

// A shelf is a directory in which a store keeps what it has made of session files
// from one process to the next, a file for each and for each thing that is kept of
// it. It is only ever a shorter way to what a scan finds: what is damaged, missing
// or of another version is as good as none, and where nothing can be written nothing
// is.
//
// A file has shelfMagic, the version, a checksum of the rest, the path of the session
// file and what is kept.
type shelf struct {
	dir   string // "" for no shelf
	least int64  // the size of the smallest files of which something is kept

	made    sync.Once
	refused atomic.Bool // nothing can be written there
	wrote   atomic.Bool // something was
}

// newShelf returns the shelf beside a memory's file, none if memory is "".
func newShelf(memory string) *shelf {
	if memory == "" {
		return &shelf{}
	}
	return &shelf{dir: filepath.Join(filepath.Dir(memory), "index"), least: keptBytes}
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

// shelfName is what the name of each file that is kept of a session file begins with.
func shelfName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}

// fileOf returns the path of what is kept of a session file under the name what.
func (k *shelf) fileOf(path, what string) string {
	return k.dir + "/" + shelfName(path) + "." + what
}

// read returns what is kept under the name what of a session file that has size
// bytes. It is in buf.
func (k *shelf) read(path, what string, size int64, buf *[]byte) (kept []byte, ok bool) {
	if k.dir == "" {
		return nil, false
	}
	file, err := openRaw(k.fileOf(path, what), unix.O_NOFOLLOW)
	if err != nil {
		return nil, false
	}
	defer file.close()
	f, err := file.facts()
	if err != nil || !f.regular() || f.size > size+shelfRoom {
		return nil, false
	}
	*buf = grown((*buf)[:0], int(f.size))[:f.size]
	if _, err := file.ReadAt(*buf, 0); err != nil {
		return nil, false
	}
	r := packed.NewReader(*buf)
	found, ok := shelved(r, true)
	return r.Rest(), ok && found == path
}

// grown returns buf with room for n more bytes.
func grown(buf []byte, n int) []byte {
	if cap(buf)-len(buf) >= n {
		return buf
	}
	return append(make([]byte, 0, len(buf)+n), buf...)
}

// shelved reads the beginning of a file of a shelf: the path of the session file.
// whole tells that r has all of the file, so that its checksum can be looked at.
func shelved(r *packed.Reader, whole bool) (path string, ok bool) {
	if string(r.Bytes(len(shelfMagic))) != shelfMagic || r.Uint32() != shelfVersion {
		return "", false
	}
	if sum := r.Uint32(); whole && sum != checksum(r.Rest()) {
		return "", false
	}
	return r.Text(), true
}

// write keeps something of a session file under the name what: what appendTo appends
// to a buffer. It replaces what was kept there.
func (k *shelf) write(path, what string, appendTo func(dst []byte) []byte) {
	if k.dir == "" || k.refused.Load() {
		return
	}
	withBuffer(func(buf *[]byte) {
		dst := append(*buf, shelfMagic...)
		dst = binary.LittleEndian.AppendUint32(dst, shelfVersion)
		dst = binary.LittleEndian.AppendUint32(dst, 0)
		begin := len(dst)
		dst = packed.AppendText(dst, path)
		*buf = appendTo(dst)
		binary.LittleEndian.PutUint32((*buf)[begin-4:], checksum((*buf)[begin:]))
		k.replace(k.fileOf(path, what), *buf)
	})
}

// replace makes a file with the given bytes in one step. Two processes that do so at
// once may spoil each other's, which the checksum shows.
func (k *shelf) replace(name string, text []byte) {
	k.made.Do(func() { _ = os.MkdirAll(k.dir, 0o700) })
	next := name + ".new"
	if writeRaw(next, text) != nil {
		k.refused.Store(true) // the disk is full, or not to be written
		_ = unix.Unlink(next)
		return
	}
	k.wrote.Store(true)
	if unix.Rename(next, name) != nil {
		_ = unix.Unlink(next)
	}
}

// writeRaw writes a file for this user only.
func writeRaw(path string, text []byte) error {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	for len(text) > 0 && err == nil {
		err = ignoringEINTR(func() error {
			n, err := unix.Write(fd, text)
			text = text[max(n, 0):]
			return err
		})
	}
	if closed := unix.Close(fd); err == nil {
		err = closed
	}
	return err
}

// tidy removes what is kept of files that are gone, if this store has kept something:
// who makes new files clears away old ones.
func (k *shelf) tidy(sessions []*Session) {
	if !k.wrote.Load() {
		return
	}
	here := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		here[shelfName(s.Path)] = true
	}
	dir, err := os.Open(k.dir)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var strangers []string
	for _, name := range names {
		if hash, _, _ := strings.Cut(name, "."); !here[hash] {
			strangers = append(strangers, name)
		}
	}
	rand.Shuffle(len(strangers), func(i, j int) { strangers[i], strangers[j] = strangers[j], strangers[i] })
	for _, name := range strangers[:min(len(strangers), strangersLooked)] {
		name = filepath.Join(k.dir, name)
		if k.orphaned(name) {
			_ = os.Remove(name)
		}
	}
}

// orphaned tells whether the session file is gone that a file of the shelf is of, or
// that it is none of this version.
func (k *shelf) orphaned(name string) bool {
	file, err := openRaw(name, unix.O_NOFOLLOW)
	if err != nil {
		return false
	}
	defer file.close()
	var begin [unix.PathMax + 64]byte
	n, _ := file.ReadAt(begin[:], 0)
	path, ok := shelved(packed.NewReader(begin[:n]), false)
	if !ok {
		return true
	}
	_, err = os.Lstat(path)
	return isGone(err)
}
