package fs

import "hash/fnv"

// inoOf returns the inode number of the node whose identity is a word, of a kind,
// and numbers: a hash, so that it is the same after a remount, and readdir and
// lookup agree without a table.
func inoOf(k kind, word string, numbers ...uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(word))
	return mixIno(h.Sum64(), k, numbers...)
}

// mixIno is inoOf for the hash of a word. Numbers below 16 are left to the
// kernel's own uses.
func mixIno(ino uint64, k kind, numbers ...uint64) uint64 {
	ino = scramble(ino ^ uint64(k))
	for _, n := range numbers {
		ino = scramble(ino ^ n)
	}
	return max(ino, 16)
}

// scramble is a permutation of 64 bits in which each bit of n changes half of the
// result's: the finalizer of splitmix64.
func scramble(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
