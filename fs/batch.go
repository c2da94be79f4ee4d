package fs

import (
	"sync"
	"sync/atomic"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// batchBytes is how long a batch is at most, if it is not one piece.
const batchBytes = 64 << 10

// A batch is the text of pieces, one after the other. The buffers of batches are used
// again: who reads one must have pinned it.
type batch struct {
	text  []byte
	links map[tree.Step][]int32 // of the pieces that have any, from the piece's beginning
	pins  atomic.Int32          // one of them is the cache's
}

// texts are buffers of batches to be used again: texts[n] has some of n*textStep bytes.
// A sync.Pool would be emptied by the collector, which runs often while the cache is full.
var texts = func() (lists [batchBytes/textStep + 1]chan []byte) {
	for n := range lists {
		lists[n] = make(chan []byte, freeTexts)
	}
	return lists
}()

const (
	textStep  = 16 << 10
	freeTexts = 16 // how many of each length are kept
)

// newText returns a buffer of the given length.
func newText(length int) []byte {
	n := (length + textStep - 1) / textStep
	if n >= len(texts) || length < textStep/2 {
		return make([]byte, length)
	}
	select {
	case text := <-texts[n]:
		return text[:length]
	default:
		return make([]byte, length, n*textStep)
	}
}

// freeText takes back a buffer that newText has returned.
func freeText(text []byte) {
	text = text[:cap(text)]
	if poison {
		clear(text)
	}
	n := len(text) / textStep
	if n == 0 || n >= len(texts) {
		return
	}
	select {
	case texts[n] <- text:
	default:
	}
}

// pin keeps the batch's text from being used for another. false if that has happened.
func (b *batch) pin() bool {
	for {
		n := b.pins.Load()
		if n == 0 {
			return false
		}
		if b.pins.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release takes a pin back.
func (b *batch) Release() {
	if b.pins.Add(-1) > 0 {
		return
	}
	freeText(b.text)
	b.text = nil
}

// poison, which tests set, has buffers that are given back overwritten, so that who
// still reads one is noticed.
var poison bool

// piece returns a piece of the batch.
func (b *batch) piece(step tree.Step, pc piece) render.Fragment {
	end := pc.at + pc.textBytes
	return render.Fragment{Text: b.text[pc.at:end:end], Links: b.links[step]}
}

// cost is what the batch takes in memory.
func (b *batch) cost() int64 { return int64(cap(b.text)) + 64*int64(len(b.links)) }

// A batchMaker makes batches, one after the other. Its buffers are used again.
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
func (m *batchMaker) add(form form, v *store.View, step tree.Step, e *model.Entry) error {
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

// batch returns the first n pieces, with one pin.
func (m *batchMaker) batch(n int) *batch {
	length := m.end(n)
	b := &batch{text: newText(length)}
	b.pins.Store(1)
	copy(b.text, m.text[:length])
	for _, made := range m.made[:n] {
		if len(made.links) > 0 {
			if b.links == nil {
				b.links = make(map[tree.Step][]int32)
			}
			b.links[made.step] = made.links
		}
	}
	return b
}

// end is where the text of the first n pieces ends.
func (m *batchMaker) end(n int) int {
	last := m.made[n-1].piece
	return int(last.at) + int(last.textBytes)
}

// forget removes the first n pieces.
func (m *batchMaker) forget(n int) {
	end := m.end(n)
	m.text = m.text[:copy(m.text, m.text[end:])]
	rest := copy(m.made, m.made[n:])
	clear(m.made[rest:])
	m.made = m.made[:rest]
	for i := range m.made {
		m.made[i].piece.at -= uint32(end)
	}
}

// release gives the maker's buffers back, unless an unusually large piece was in them.
func (m *batchMaker) release() {
	if len(m.made) > 0 {
		m.forget(len(m.made))
	}
	if cap(m.text) <= 8*batchBytes {
		makers.Put(m)
	}
}
