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
// A page that somebody reads is locked, the kernel would wait for it, and a daemon that
// is killed meanwhile would never end (see notices). So this is done once, while the
// kernel waits for the length: nobody reads before that is known, but for those few who
// do not ask (sendfile, fadvise). As soon as one of them is seen it ends.

// prefillBytes is how much the kernel is given at once: whole pages.
const prefillBytes = 128 << 10

var prefillBuffers = sync.Pool{New: func() any { return new([prefillBytes]byte) }}

// unread returns the transcript that n is, if the kernel has not read it yet and nobody
// writes to it: then it would soon give the text up again.
func unread(n Node) (t transcriptFile, ok bool) {
	t, ok = asTranscript(n)
	return t, ok && !t.s.maybeRead.Load() && !t.s.live()
}

func asTranscript(n Node) (t transcriptFile, ok bool) {
	if file, isFile := n.(compositeFile); isFile {
		t, ok = file.assembly.(transcriptFile)
	}
	return t, ok
}

// noteRead takes note of a read.
func noteRead(n Node) {
	if t, ok := asTranscript(n); ok {
		t.s.maybeRead.Store(true)
	}
}

// prefills tells whether the kernel must ask for the length of n, because it will be given
// the text then. If not, it may read right away.
func prefills(n Node) bool {
	t, ok := unread(n)
	if !ok {
		return false
	}
	if c, ok := t.peek(); ok && c.source.inCache() {
		return true
	}
	t.s.maybeRead.Store(true)
	return false
}

// prefill gives the kernel the text of n if it is to have it, and returns the length of
// that.
func (f *fuseFS) prefill(n Node) (sizeBytes int64, given bool) {
	t, ok := unread(n)
	if !ok {
		return 0, false
	}
	t.s.prefilling.Lock()
	defer t.s.prefilling.Unlock()
	if t.s.maybeRead.Load() {
		return 0, false // somebody else has done it
	}
	defer t.s.maybeRead.Store(true)
	c, err := t.composite()
	if err != nil || !c.source.inCache() {
		return 0, false // who asked is told of the error when the length is found out
	}
	buf := prefillBuffers.Get().(*[prefillBytes]byte)
	defer prefillBuffers.Put(buf)
	for off := int64(0); off < c.size() && !t.s.maybeRead.Load(); {
		got, err := c.ReadAt(buf[:], off)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false
		}
		if !f.server.InodeNotifyStoreCache(uint64(t.ID()), off, buf[:got]).Ok() {
			return 0, false // it has forgotten the file
		}
		off += int64(got)
	}
	f.t.stats.prefills.Add(1)
	return c.size(), true
}
