package store

import (
	"bytes"
	"io"
)

// anchorBytes is how much of the end of what was read is compared.
const anchorBytes = 64

// An anchor is a cheap proof that a file still begins with the bytes that were
// read of it: its head, and the last bytes that were read. Programs that rewrite
// a session in place (pi when it migrates, editors) change one or the other;
// comparing all would make an append cost the whole file.
type anchor struct {
	head *head
	seen int64 // so far the file has been read
	last [anchorBytes]byte
}

// add moves the anchor behind the bytes that follow.
func (a *anchor) add(fresh []byte) {
	a.seen += int64(len(fresh))
	if len(fresh) >= anchorBytes {
		copy(a.last[:], fresh[len(fresh)-anchorBytes:])
		return
	}
	copy(a.last[:], a.last[len(fresh):])
	copy(a.last[anchorBytes-len(fresh):], fresh)
}

// holds tells whether the file still has the bytes. A file that is too short has
// not.
func (a *anchor) holds(file io.ReaderAt) (bool, error) {
	if held, err := a.head.holds(file); !held || err != nil {
		return false, err
	}
	var now [anchorBytes]byte
	n := min(a.seen, anchorBytes)
	m, err := file.ReadAt(now[:n], a.seen-n)
	if err != nil && err != io.EOF {
		return false, err
	}
	return int64(m) == n && bytes.Equal(now[:n], a.last[anchorBytes-n:]), nil
}

// holds tells whether the file still has the head.
func (h *head) holds(file io.ReaderAt) (bool, error) {
	var now [headBytes]byte
	n, err := file.ReadAt(now[:h.size], 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	return int64(n) == h.size && checksum(now[:n]) == h.sum, nil
}
