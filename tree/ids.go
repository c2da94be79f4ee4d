package tree

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// The table of ids is a hash table with open addressing that holds refs only; the
// ids themselves stand in the columns. It is filled to three quarters at most. The
// Builder stores into free slots of a table that trees are reading (atomically);
// trees pass over entries beyond their length.

// idSeed keeps anybody from choosing ids that collide.
var idSeed = maphash.MakeSeed()

// An idKey is an id as the columns keep it.
type idKey struct {
	hex  uint32
	odd  bool
	text string // of odd ids
}

func keyOf(id string) idKey {
	if hex, ok := packHex(id); ok {
		return idKey{hex: hex}
	}
	return idKey{odd: true, text: id}
}

// keyAt returns the key of entry i, which has an id.
func (c *columns) keyAt(i int32) idKey {
	if c.odd(i) {
		return idKey{odd: true, text: c.names[c.ids[i]]}
	}
	return idKey{hex: c.ids[i]}
}

func (c *columns) hasKey(i int32, k idKey) bool {
	switch {
	case c.odd(i) != k.odd:
		return false
	case !k.odd:
		return c.ids[i] == k.hex
	}
	return c.ids[i] != noID && c.names[c.ids[i]] == k.text
}

// slot returns where in a table of n slots the search for k begins.
func (k idKey) slot(n int) int {
	var hash uint64
	if k.odd {
		hash = maphash.String(idSeed, k.text)
	} else {
		hash = maphash.Comparable(idSeed, k.hex)
	}
	return int(hash >> 32 * uint64(n) >> 32)
}

// find returns the entry that has the id, the last one if there are several, or
// None.
func (c *columns) find(id string) int32 {
	_, i := c.probe(keyOf(id))
	return i
}

// probe returns the slot of k and the entry in it, or a free slot and None.
func (c *columns) probe(k idKey) (slot int, i int32) {
	n := len(c.table)
	if n == 0 {
		return 0, None
	}
	for slot = k.slot(n); ; {
		i = ref(atomic.LoadInt32((*int32)(&c.table[slot]))).index()
		if i == None || int(i) < c.len() && c.hasKey(i, k) {
			return slot, i
		}
		if slot++; slot == n {
			slot = 0
		}
	}
}

// takeID gives entry i its id. It returns the entry that had it before, or None.
func (b *Builder) takeID(i int32, id string) (earlier int32) {
	if b.used++; b.used*4 > len(b.table)*3 {
		b.resizeTable(max(8, b.used*2))
	}
	slot, earlier := b.probe(keyOf(id))
	if earlier != None {
		b.used--
		if b.tableShared {
			b.table, b.tableShared = slices.Clone(b.table), false
		}
	}
	atomic.StoreInt32((*int32)(&b.table[slot]), int32(refTo(i)))
	return earlier
}

// tableSize returns how many slots a table of so many ids has that does not grow.
func tableSize(ids int) int { return ids*4/3 + 1 }

// resizeTable moves the ids to a table of n slots.
func (b *Builder) resizeTable(n int) {
	old := b.table
	b.table, b.tableShared = make([]ref, n), false
	for _, r := range old {
		if r != 0 {
			b.seat(r.index())
		}
	}
}

// seat puts entry i, which has an id, into a table that no tree reads yet. It returns
// the entry with the same id whose place it takes, or None.
func (b *Builder) seat(i int32) (earlier int32) {
	key := b.keyAt(i)
	slot := key.slot(len(b.table))
	for b.table[slot] != 0 && !b.hasKey(b.table[slot].index(), key) {
		if slot++; slot == len(b.table) {
			slot = 0
		}
	}
	earlier = b.table[slot].index()
	b.table[slot] = refTo(i)
	return earlier
}

// packHex reads 8 lowercase hex digits, as pi draws them.
func packHex(id string) (hex uint32, ok bool) {
	if len(id) != 8 {
		return 0, false
	}
	for _, c := range []byte(id) {
		switch {
		case '0' <= c && c <= '9':
			hex = hex<<4 | uint32(c-'0')
		case 'a' <= c && c <= 'f':
			hex = hex<<4 | uint32(c-'a'+10)
		default:
			return 0, false
		}
	}
	return hex, true
}

func appendHex(dst []byte, hex uint32) []byte {
	for bits := 28; bits >= 0; bits -= 4 {
		dst = append(dst, "0123456789abcdef"[hex>>bits&15])
	}
	return dst
}
