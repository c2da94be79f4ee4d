package fs

import (
	"sync"

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
	kind uint8 // of the batches in the cache
	form form

	// making is held while pieces are made, and files are read for that, so that
	// nothing is made twice at the same time.
	making sync.Mutex

	mu      sync.Mutex
	plain   []piece // by entry
	edited  map[tree.Step]piece
	links   map[tree.Step]int // the pieces that have links, and how many
	batches uint32            // how many have been made
}

// A form makes the piece of a step from the entry's body: it appends the text to dst
// and returns the links in it, and whether the piece belongs in a context.
type form func(dst []byte, v *store.View, step tree.Step, e model.Entry) (text []byte, links []int32, inContext bool, err error)

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

// A batch is the text of pieces, one after the other.
type batch struct {
	text  []byte
	links map[tree.Step][]int32 // of those that have any, from the piece's beginning
}

const (
	// batchBytes is about how long a batch is.
	batchBytes = 64 << 10
	// aheadBytes is about how much is made when a piece is missing: readers read on,
	// and neighbours in the file are read together.
	aheadBytes = 256 << 10
)

// of makes p the pieces of a session in a form.
func (p *pieces) of(s *session, kind uint8, form form) { p.s, p.kind, p.form = s, kind, form }

// known returns the sizes of the steps' pieces, and the steps whose sizes are not
// known.
func (p *pieces) known(steps []tree.Step) (sizes []pieceSize, missing []tree.Step) {
	sizes = make([]pieceSize, len(steps))
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, step := range steps {
		pc := p.find(step)
		if pc.batch&pieceKnown == 0 {
			missing = append(missing, step)
			continue
		}
		sizes[i] = pieceSize{text: int64(pc.textBytes), inContext: pc.batch&pieceInContext != 0}
		if len(p.links) > 0 {
			sizes[i].links = int64(p.links[step])
		}
	}
	return sizes, missing
}

// measure is known for who needs all sizes. What has to be made for that goes to the
// cache, unless it is so much that it would push everything else out, itself included.
func (p *pieces) measure(v *store.View, steps []tree.Step) ([]pieceSize, error) {
	sizes, missing := p.known(steps)
	if len(missing) == 0 {
		return sizes, nil
	}
	p.making.Lock()
	defer p.making.Unlock()
	_, missing = p.known(missing)
	about := v.Size / int64(v.Tree.Len()) * int64(len(missing))
	if _, err := p.make(v, missing, about <= p.s.tree.options.CacheBytes/2); err != nil {
		return nil, err
	}
	sizes, _ = p.known(steps)
	return sizes, nil
}

// get returns the piece of steps[i]. If it has to be made, so are those after it.
func (p *pieces) get(v *store.View, steps []tree.Step, i int) (render.Fragment, error) {
	if f, ok := p.cached(steps[i]); ok {
		return f, nil
	}
	p.making.Lock()
	defer p.making.Unlock()
	if f, ok := p.cached(steps[i]); ok {
		return f, nil // somebody else has made it meanwhile
	}
	sizes, _ := p.known(steps[i:min(i+aheadBytes/256, len(steps))])
	wanted, bytes := steps[i:i+1:i+1], sizes[0].text
	for n := 1; n < len(sizes) && bytes+sizes[n].text < aheadBytes; n++ {
		if _, ok := p.cached(steps[i+n]); !ok {
			wanted = append(wanted, steps[i+n])
			bytes += sizes[n].text
		}
	}
	return p.make(v, wanted, true)
}

// make makes the pieces of steps and returns the first. If keep is not set only their
// sizes are kept. The caller holds p.making.
func (p *pieces) make(v *store.View, steps []tree.Step, keep bool) (first render.Fragment, err error) {
	m := makers.Get().(*batchMaker)
	defer m.release()
	flushed := false
	flush := func() {
		if f := p.keep(m, keep); !flushed {
			first, flushed = f, true
		}
	}
	err = eachStep(v, steps, func(step tree.Step, e model.Entry) error {
		if err := m.add(p.form, v, step, e); err != nil {
			return err
		}
		if len(m.text) >= batchBytes {
			flush()
		}
		return nil
	})
	flush()
	return first, err
}

// keep takes note of what m has made, puts it into the cache if text is set, and empties
// m. It returns the first piece.
func (p *pieces) keep(m *batchMaker, text bool) (first render.Fragment) {
	if len(m.made) == 0 {
		return first
	}
	defer m.reset()
	var number uint32
	if text {
		b := m.batch()
		first = b.piece(m.made[0].step, m.made[0].piece)
		p.batches++ // guarded by p.making
		number = p.batches
		// Its text cannot be there yet, so that there is nothing to compute and no error.
		_, _ = cached(p.s, p.key(number), func() (*batch, int64, error) { return b, b.cost(), nil })
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, made := range m.made {
		made.piece.batch |= number << pieceBits
		p.set(made.step, made.piece, len(made.links))
	}
	return first
}

// cached returns the piece of a step if it is in the cache.
func (p *pieces) cached(step tree.Step) (f render.Fragment, ok bool) {
	p.mu.Lock()
	pc := p.find(step)
	p.mu.Unlock()
	number := pc.batch >> pieceBits
	if number == 0 {
		return f, false
	}
	b, ok := peek[*batch](p.s, p.key(number))
	if !ok {
		return f, false
	}
	return b.piece(step, pc), true
}

// key is the cache key of a batch.
func (p *pieces) key(number uint32) store.Key {
	return p.s.key(p.kind, tree.Step{Entry: int32(number), Edit: noEdit})
}

// find returns what is remembered of a step's piece, with p.mu held.
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
	p.plain[step.Entry] = pc
}

// piece returns a piece of the batch.
func (b *batch) piece(step tree.Step, pc piece) render.Fragment {
	end := pc.at + pc.textBytes
	return render.Fragment{Text: b.text[pc.at:end:end], Links: b.links[step]}
}

// cost is what the batch takes in memory.
func (b *batch) cost() int64 { return int64(cap(b.text)) + 64*int64(len(b.links)) }

// A batchMaker makes batches, one after the other.
type batchMaker struct {
	text []byte
	made []madePiece
}

type madePiece struct {
	step  tree.Step
	piece piece
	links []int32
}

var makers = sync.Pool{New: func() any { return new(batchMaker) }}

// add makes the piece of a step.
func (m *batchMaker) add(form form, v *store.View, step tree.Step, e model.Entry) error {
	at := len(m.text)
	text, links, inContext, err := form(m.text, v, step, e)
	if err != nil {
		return err
	}
	m.text = text
	pc := piece{textBytes: uint32(len(text) - at), at: uint32(at), batch: pieceKnown}
	if inContext {
		pc.batch |= pieceInContext
	}
	m.made = append(m.made, madePiece{step, pc, links})
	return nil
}

// batch returns what has been made, its text made to measure.
func (m *batchMaker) batch() *batch {
	b := &batch{text: make([]byte, len(m.text))}
	copy(b.text, m.text)
	for _, made := range m.made {
		if len(made.links) > 0 {
			if b.links == nil {
				b.links = make(map[tree.Step][]int32)
			}
			b.links[made.step] = made.links
		}
	}
	return b
}

func (m *batchMaker) reset() {
	m.text = m.text[:0]
	clear(m.made)
	m.made = m.made[:0]
}

// release gives the maker's buffers back, unless an unusually large piece was in them.
func (m *batchMaker) release() {
	m.reset()
	if cap(m.text) <= 8*batchBytes {
		makers.Put(m)
	}
}
