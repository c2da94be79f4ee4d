package fs

import "hash/fnv"

// inoOf returns the inode number of the node whose identity is the given words:
// a hash, so that it is the same after a remount and readdir and lookup agree
// without a table. Numbers below 16 are left to the kernel's own uses.
func inoOf(k kind, identity ...string) uint64 {
	h := fnv.New64a()
	h.Write([]byte{byte(k)})
	for _, word := range identity {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	if n := h.Sum64(); n >= 16 {
		return n
	}
	return 16
}
