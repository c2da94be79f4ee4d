package fs

import (
	"encoding/binary"

	"github.com/pifs/pifs/internal/packed"
	"github.com/pifs/pifs/store"
)

// piecesVersion changes with what the forms make of an entry: lengths that were kept by
// another version are as good as none.
const piecesVersion = 1

// Bits of what is kept of a piece, below its length.
const (
	keptKnown = 1 << iota
	keptInContext
	keptLinks
	keptBits = 3
)

// recall takes over the lengths that were kept by an earlier process, once.
func (p *pieces) recall(v *store.View) {
	p.making.Lock()
	defer p.making.Unlock()
	if p.recalled.Load() {
		return
	}
	defer p.recalled.Store(true)
	data, ok := p.s.store.Recall(p.what, v)
	if !ok {
		return
	}
	r := packed.NewReader(data)
	r.Check(r.Uvarint() == piecesVersion)
	kept := make([]piece, r.Count(1))
	links := make(map[int32]int)
	for i := range kept {
		n := r.Uvarint()
		kept[i].textBytes = uint32(n >> keptBits)
		if n&keptKnown != 0 {
			kept[i].batch |= pieceKnown
		}
		if n&keptInContext != 0 {
			kept[i].batch |= pieceInContext
		}
		if n&keptLinks != 0 {
			links[int32(i)] = int(r.Uvarint())
		}
	}
	if r.End() != nil || len(kept) > v.Tree.Len() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	unkept := p.unkept
	for i, pc := range kept {
		step := plainStep(int32(i))
		if pc.known() && !p.find(step).known() {
			p.set(step, pc, links[int32(i)])
		}
	}
	p.unkept = unkept
}

// keep has the store keep the lengths that are known of the entries of v, if some of
// them are not kept yet.
func (p *pieces) keep(v *store.View) {
	p.making.Lock()
	defer p.making.Unlock()
	p.mu.Lock()
	if p.unkept == 0 {
		p.mu.Unlock()
		return
	}
	p.unkept = 0
	n := min(len(p.plain), v.Tree.Len())
	data := binary.AppendUvarint(nil, piecesVersion)
	data = binary.AppendUvarint(data, uint64(n))
	for i, pc := range p.plain[:n] {
		links := p.links[plainStep(int32(i))]
		kept := uint64(pc.textBytes) << keptBits
		if pc.known() {
			kept |= keptKnown
		}
		if pc.batch&pieceInContext != 0 {
			kept |= keptInContext
		}
		if links > 0 {
			kept |= keptLinks
		}
		data = binary.AppendUvarint(data, kept)
		if links > 0 {
			data = binary.AppendUvarint(data, uint64(links))
		}
	}
	p.mu.Unlock()
	p.s.store.Keep(p.what, v, data)
}

// keepLengths has the store keep what is known of the lengths of all sessions' pieces,
// so that a later mount need not make them for their lengths alone.
func (t *Tree) keepLengths() {
	t.mu.Lock()
	sessions := make([]*session, 0, len(t.sessions))
	for _, s := range t.sessions {
		sessions = append(sessions, s)
	}
	t.mu.Unlock()
	for _, s := range sessions {
		if v := s.newest(); v != nil {
			s.fragments.keep(v)
			s.messages.keep(v)
		}
	}
}

// newest returns the newest version that the session has shown, nil if there is none.
func (s *session) newest() *store.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.versions) == 0 {
		return nil
	}
	return s.versions[len(s.versions)-1]
}
