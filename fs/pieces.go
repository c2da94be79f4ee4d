package fs

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// Pieces are what the entries of a session give to files of one form, such as the
// fragments of context.md and transcript.md. Each is made at most once while it is
// cached, and its length is remembered for good: a file's exact size is a sum, and
// what has been measured is never made again for its length alone.
//
// Pieces that are made one after the other are cached together, in batches: most are
// small, and they are read together, too.
type pieces struct {
	s    *session
	kind uint8  // of the batches in the cache
	what string // what their lengths are kept as
	form form

	// making is held while pieces are made, and files are read for that, so that
	// nothing is made twice at the same time.
	making   sync.Mutex
	recalled atomic.Bool // what was kept by an earlier process is known; set with making held
	batches  uint32      // how many have been made

	mu     sync.Mutex
	plain  []piece // by entry
	edited map[tree.Step]piece
	links  map[tree.Step]int // the pieces that have links, and how many
	unkept int               // how many have become known since the lengths were kept
}

// A form makes the piece of a step from the entry's body: it appends the text to dst
// and returns the links in it, and whether the piece belongs in a context.
type form func(dst []byte, v *store.View, step tree.Step, e *model.Entry) (text []byte, links []int32, inContext bool, err error)

// A piece is what is remembered of a piece: its length, and where its text is if that
// is cached. The zero piece is not known.
type piece struct {
	textBytes uint32
	batch     uint32 // number<<pieceBits, plus the bits below
	at        uint32 // where in the batch it begins
}

// Bits of piece.batch beside the number, which is 0 if the piece was never cached.
const (
	pieceKnown     = 1
	pieceInContext = 2
	pieceBits      = 2
)

// A pieceSize is the length of a piece.
type pieceSize struct {
	text      int64
	links     int64
	inContext bool
}

// in is the length of the piece in a file that sees the images in dir.
func (z pieceSize) in(dir string) int64 { return z.text + z.links*int64(len(dir)) }

// aheadBytes is about how much is made when a piece is missing: readers read on, and
// neighbours in the file are read together.
const aheadBytes = 256 << 10

// measuredTogether is how many pieces are measured before somebody else gets a turn.
const measuredTogether = 1024

// of makes p the pieces of a session in a form.
func (p *pieces) of(s *session, kind uint8, what string, form form) {
	p.s, p.kind, p.what, p.form = s, kind, what, form
}

// each calls f with the sizes of the steps' pieces, as far as they are known.
func (p *pieces) each(steps []tree.Step, f func(n int, z pieceSize)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n, step := range steps {
		if pc := p.find(step); pc.known() {
			f(n, p.size(step, pc))
		}
	}
}

// missing returns the steps of whose pieces the sizes are not known.
func (p *pieces) missing(steps []tree.Step) (missing []tree.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, step := range steps {
		if p.find(step).known() {
			continue
		}
		if missing == nil {
			missing = make([]tree.Step, 0, len(steps)-i)
		}
		missing = append(missing, step)
	}
	return missing
}

// size is the size of a known piece, with p.mu held.
func (p *pieces) size(step tree.Step, pc piece) pieceSize {
	z := pieceSize{text: int64(pc.textBytes), inContext: pc.batch&pieceInContext != 0}
	if len(p.links) > 0 {
		z.links = int64(p.links[step])
	}
	return z
}

// measure sees to it that the sizes of the steps' pieces are known. What has to be made
// for that goes to the cache, unless it is so much that it would push everything else
// out, itself included.
func (p *pieces) measure(v *store.View, steps []tree.Step) error {
	if !p.recalled.Load() {
		p.reserve(v.Tree.Len())
		p.recall(v)
	}
	if steps = p.missing(steps); len(steps) == 0 {
		return nil
	}
	about := v.Size / int64(v.Tree.Len()) * int64(len(steps))
	keep := about <= p.s.tree.options.CacheBytes/2
	for part := range slices.Chunk(steps, measuredTogether) {
		if err := p.measurePart(v, part, keep); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes room for the pieces of so many entries, and no more, when there are none
// yet: most sessions never grow.
func (p *pieces) reserve(entries int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plain == nil {
		p.plain = make([]piece, 0, entries)
	}
}

// measurePart is measure for some of the steps: others who need pieces of the session
// must not wait until all have been made.
func (p *pieces) measurePart(v *store.View, steps []tree.Step, keep bool) error {
	p.making.Lock()
	defer p.making.Unlock()
	return p.make(v, p.missing(steps), keep, nil)
}

// make makes the pieces of steps. If keep is not set only their sizes are kept. first, if
// not nil, is called with the first piece and its batch, pinned. The caller holds
// p.making.
func (p *pieces) make(v *store.View, steps []tree.Step, keep bool, first func(piece, *batch)) error {
	m := makers.Get().(*batchMaker)
	defer m.release()
	flush := func(n int) {
		p.take(m, n, keep, first)
		first = nil
	}
	err := eachStep(v, steps, func(step tree.Step, e *model.Entry) error {
		if err := m.add(p.form, v, step, e); err != nil {
			return err
		}
		if n := len(m.made); len(m.text) >= batchBytes {
			if n > 1 {
				flush(n - 1)
			}
			if len(m.text) >= batchBytes {
				flush(1)
			}
		}
		return nil
	})
	if n := len(m.made); n > 0 {
		flush(n)
	}
	return err
}

// take takes note of the first n pieces that m has made, puts their text into the cache
// if text is set, and has m forget them. first is that of make.
func (p *pieces) take(m *batchMaker, n int, text bool, first func(piece, *batch)) {
	made := m.made[:n]
	var number uint32
	if text {
		b := m.batch(n)
		p.batches++
		number = p.batches
		if first != nil {
			b.pin()
			first(made[0].piece.in(number), b)
		}
		// It cannot be there yet, so that there is nothing to compute and no error.
		_, _ = cached(p.s, p.key(number), func() (*batch, int64, error) { return b, b.cost(), nil })
	}
	p.mu.Lock()
	for _, made := range made {
		p.set(made.step, made.piece.in(number), len(made.links))
	}
	p.mu.Unlock()
	m.forget(n)
}

// in is the piece in the batch with a number.
func (pc piece) in(number uint32) piece {
	pc.batch = pc.batch&(1<<pieceBits-1) | number<<pieceBits
	return pc
}

// known tells whether the piece has been made.
func (pc piece) known() bool { return pc.batch&pieceKnown != 0 }

// number is that of the batch which the piece is in, 0 for none.
func (pc piece) number() uint32 { return pc.batch >> pieceBits }

// pinned returns the batch with a number, pinned, nil if it is not in the cache.
func (p *pieces) pinned(number uint32) *batch {
	if number == 0 {
		return nil
	}
	b, ok := peek[*batch](p.s, p.key(number))
	if !ok || !b.pin() {
		return nil
	}
	return b
}

// plainStep is the step of an entry without an edit.
func plainStep(entry int32) tree.Step { return tree.Step{Entry: entry, Edit: noEdit} }

// key is the cache key of a batch.
func (p *pieces) key(number uint32) store.Key {
	return p.s.key(p.kind, plainStep(int32(number)))
}

// piece returns what is remembered of a step's piece.
func (p *pieces) piece(step tree.Step) piece {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.find(step)
}

// find is piece with p.mu held.
func (p *pieces) find(step tree.Step) piece {
	switch {
	case step.Edit != noEdit:
		return p.edited[step]
	case int(step.Entry) < len(p.plain):
		return p.plain[step.Entry]
	}
	return piece{}
}

// set remembers a step's piece, with p.mu held.
func (p *pieces) set(step tree.Step, pc piece, links int) {
	if links > 0 {
		if p.links == nil {
			p.links = make(map[tree.Step]int)
		}
		p.links[step] = links
	}
	if step.Edit != noEdit {
		if p.edited == nil {
			p.edited = make(map[tree.Step]piece)
		}
		p.edited[step] = pc
		return
	}
	if missing := int(step.Entry) + 1 - len(p.plain); missing > 0 {
		p.plain = append(p.plain, make([]piece, missing)...)
	}
	if !p.plain[step.Entry].known() {
		p.unkept++
	}
	p.plain[step.Entry] = pc
}

// A pieceReader reads the pieces of steps, one after the other. It must be closed.
type pieceReader struct {
	p      *pieces
	v      *store.View
	steps  []tree.Step
	number uint32 // of the batch that was read from last
	batch  *batch // pinned; nil for none
}

// read returns the piece of steps[i], valid until the next call of read or close. If it
// has to be made, so are those after it.
func (r *pieceReader) read(i int) (render.Fragment, error) {
	step := r.steps[i]
	if pc := r.p.piece(step); r.find(pc) {
		return r.batch.piece(step, pc), nil
	}
	r.p.making.Lock()
	defer r.p.making.Unlock()
	pc := r.p.piece(step)
	if r.find(pc) {
		return r.batch.piece(step, pc), nil // somebody else has made it meanwhile
	}
	err := r.p.make(r.v, r.wanted(i), true, func(first piece, b *batch) {
		pc, r.number, r.batch = first, first.number(), b
	})
	if r.batch == nil {
		return render.Fragment{}, err
	}
	return r.batch.piece(step, pc), nil // what has failed is another piece
}

// find pins the batch of a piece, and tells whether that was there.
func (r *pieceReader) find(pc piece) bool {
	if r.batch != nil && r.number == pc.number() {
		return true
	}
	r.close()
	r.number = pc.number()
	r.batch = r.p.pinned(r.number)
	return r.batch != nil
}

// inCache tells whether the text of all steps is in the cache.
func (r *pieceReader) inCache() bool {
	var last uint32
	for _, step := range r.steps {
		number := r.p.piece(step).number()
		if number == last && number != 0 {
			continue
		}
		b := r.p.pinned(number)
		if b == nil {
			return false
		}
		b.Release()
		last = number
	}
	return true
}

// wanted returns steps[i] and those after it that are not in the cache, as many as are
// made at once.
func (r *pieceReader) wanted(i int) []tree.Step {
	steps, bytes := r.steps[i:i+1:i+1], int64(0)
	for n, step := range r.steps[i:min(i+aheadBytes/256, len(r.steps))] {
		pc := r.p.piece(step)
		if bytes += int64(pc.textBytes); bytes >= aheadBytes {
			break
		}
		if b := r.p.pinned(pc.number()); b != nil {
			b.Release()
		} else if n > 0 {
			steps = append(steps, step)
		}
	}
	return steps
}

// close lets the batch go that was read from last.
func (r *pieceReader) close() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}
