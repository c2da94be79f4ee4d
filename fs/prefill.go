package fs

import (
	"errors"
	"io"
	"sync"
)

// To tell how long a transcript is, all of it has to be made. Who asks for the lengths of
// many files before reading the first, as ripgrep does, would have each made twice, for
// the kernel has more room for them than our cache. So the kernel is given the text of a
// transcript together with the length, if that has just been made, and reads it from its
// own page cache.
//
// This is done while the kernel waits for the length, for the first time: until it has
// that the file is empty to it, and nobody reads. A page that somebody reads is locked,
// the kernel would wait for it, and a daemon that is killed meanwhile would never end
// (see notices).

// prefillBytes is how much the kernel is given at once: whole pages.
const prefillBytes = 256 << 10

var prefillBuffers = sync.Pool{New: func() any { return new([prefillBytes]byte) }}

// prefills tells whether the kernel is to be given the text of n, which has been made,
// when it asks for the length.
func (f *fuseFS) prefills(n Node) bool {
	t, ok := f.untold(n)
	if !ok {
		return false
	}
	c, ok := t.peek()
	return ok && c.source.inCache()
}

// untold returns the transcript that n is, if the kernel has never been told its length
// and nobody writes to it: then it would soon give the text up again.
func (f *fuseFS) untold(n Node) (t transcriptFile, ok bool) {
	file, ok := n.(compositeFile)
	if !ok {
		return t, false
	}
	t, ok = file.assembly.(transcriptFile)
	return t, ok && f.told.get(t.ID()) == 0 && !t.s.live()
}

// prefill gives the kernel the text of n if it is to have it. Who asks at the same time
// is told no length meanwhile.
func (f *fuseFS) prefill(n Node) {
	t, ok := f.untold(n)
	if !ok {
		return
	}
	t.s.prefilling.Lock()
	defer t.s.prefilling.Unlock()
	if _, ok := f.untold(n); !ok {
		return // somebody else has done it
	}
	c, err := t.composite()
	if err != nil || !c.source.inCache() {
		return // who asked is told of the error when the length is found out
	}
	defer f.told.set(t.ID(), c.size())
	buf := prefillBuffers.Get().(*[prefillBytes]byte)
	defer prefillBuffers.Put(buf)
	for off := int64(0); off < c.size(); {
		got, err := c.ReadAt(buf[:], off)
		if err != nil && !errors.Is(err, io.EOF) {
			return
		}
		if !f.server.InodeNotifyStoreCache(uint64(t.ID()), off, buf[:got]).Ok() {
			return // it has forgotten the file
		}
		off += int64(got)
	}
	f.t.stats.prefills.Add(1)
}
