package fs

import "sync"

// Told remembers how long the kernel was told that files are, those whose length is not
// always known. A lookup must not tell less afterwards, though it makes no file: the
// kernel takes what it says for the length of the file, also for who is reading it.
type told struct {
	mu      sync.Mutex
	entries map[uint32][]uint32     // of entries/<id>.json, by slot and entry; plus 1
	others  map[uint32]map[ID]int64 // by slot
}

// forgetsLength tells whether the length of a file of kind k may have to be found out
// anew after it has been told.
func (k kind) forgetsLength() bool {
	switch k {
	case kindContext, kindContextJSON, kindTranscript, kindInfo, kindTreeText, kindFilesText, kindEntryJSON, kindImage:
		return true
	}
	return false
}

// toldOf returns the slot under which an ID is remembered: that of its session. Of an
// image the ID does not say it, and there are few.
func toldOf(id ID) (k kind, slot, b uint32) {
	k, slot, b = id.parts()
	if k == kindImage {
		slot = noSlot
	}
	return k, slot, b
}

// noSlot is the slot of no session.
const noSlot = 0

// set takes note of what is told.
func (z *told) set(id ID, sizeBytes int64) {
	k, slot, b := toldOf(id)
	if !k.forgetsLength() {
		return
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if k == kindEntryJSON {
		z.setEntry(slot, b, sizeBytes)
		return
	}
	if z.others == nil {
		z.others = make(map[uint32]map[ID]int64)
	}
	if z.others[slot] == nil {
		z.others[slot] = make(map[ID]int64)
	}
	z.others[slot][id] = sizeBytes
	switch k {
	case kindInfo, kindTreeText, kindFilesText: // each version is a file, and few can be read
		if b > keptVersions {
			delete(z.others[slot], makeID(k, slot, b-keptVersions))
		}
	}
}

func (z *told) setEntry(slot, entry uint32, sizeBytes int64) {
	if z.entries == nil {
		z.entries = make(map[uint32][]uint32)
	}
	sizes := z.entries[slot]
	if missing := int(entry) + 1 - len(sizes); missing > 0 {
		sizes = append(sizes, make([]uint32, missing)...)
		z.entries[slot] = sizes
	}
	sizes[entry] = uint32(sizeBytes) + 1
}

// get returns what was told last, 0 if nothing was.
func (z *told) get(id ID) (sizeBytes int64) {
	k, slot, b := toldOf(id)
	z.mu.Lock()
	defer z.mu.Unlock()
	if k != kindEntryJSON {
		return z.others[slot][id]
	}
	if sizes := z.entries[slot]; int(b) < len(sizes) {
		return max(0, int64(sizes[b])-1)
	}
	return 0
}

// forget forgets what was told of the files of a session.
func (z *told) forget(slot uint32) {
	z.mu.Lock()
	defer z.mu.Unlock()
	delete(z.entries, slot)
	delete(z.others, slot)
}
