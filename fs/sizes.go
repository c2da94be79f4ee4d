package fs

import (
	"sync"

	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/tree"
)

// Sizes remembers how long a session's fragments are, four bytes an entry, so
// that a file's exact size is a sum, and what has been measured once is never
// rendered again for its length alone.
type sizes struct {
	mu       sync.Mutex
	fragment lengths           // length<<1, plus 1 if it belongs in a context.md
	messages lengths           // length of the messages in context.json
	links    map[tree.Step]int // the steps whose fragments have links, and how many
}

// A fragmentSize is what sizes knows of a fragment.
type fragmentSize struct {
	text      int64
	links     int64
	inContext bool
}

// in is the length of the fragment in a file that sees the images in dir.
func (f fragmentSize) in(dir string) int64 { return f.text + f.links*int64(len(dir)) }

// setFragment takes note of a fragment.
func (z *sizes) setFragment(step tree.Step, f render.Fragment, inContext bool) {
	n := uint32(len(f.Text)) << 1
	if inContext {
		n |= 1
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.fragment.set(step, n)
	if len(f.Links) > 0 {
		if z.links == nil {
			z.links = make(map[tree.Step]int)
		}
		z.links[step] = len(f.Links)
	}
}

// fragments returns the sizes of the steps' fragments, and the steps whose sizes
// are not known.
func (z *sizes) fragments(steps []tree.Step) (all []fragmentSize, missing []tree.Step) {
	all = make([]fragmentSize, len(steps))
	z.mu.Lock()
	defer z.mu.Unlock()
	for i, step := range steps {
		n, ok := z.fragment.get(step)
		if !ok {
			missing = append(missing, step)
			continue
		}
		all[i] = fragmentSize{text: int64(n >> 1), inContext: n&1 != 0}
		if len(z.links) > 0 {
			all[i].links = int64(z.links[step])
		}
	}
	return all, missing
}

// setMessages takes note of the length of a step's messages in context.json.
func (z *sizes) setMessages(step tree.Step, sizeBytes int) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.messages.set(step, uint32(sizeBytes))
}

// messageSizes returns the lengths of the steps' messages, and the steps for
// which they are not known.
func (z *sizes) messageSizes(steps []tree.Step) (all []int64, missing []tree.Step) {
	all = make([]int64, len(steps))
	z.mu.Lock()
	defer z.mu.Unlock()
	for i, step := range steps {
		n, ok := z.messages.get(step)
		if !ok {
			missing = append(missing, step)
		}
		all[i] = int64(n)
	}
	return all, missing
}

// Lengths is a number for each step: in a slice for the many without an edit.
type lengths struct {
	plain  []uint32 // by entry, plus 1; 0 is unknown
	edited map[tree.Step]uint32
}

func (l *lengths) set(step tree.Step, n uint32) {
	if step.Edit != noEdit {
		if l.edited == nil {
			l.edited = make(map[tree.Step]uint32)
		}
		l.edited[step] = n
		return
	}
	if missing := int(step.Entry) + 1 - len(l.plain); missing > 0 {
		l.plain = append(l.plain, make([]uint32, missing)...)
	}
	l.plain[step.Entry] = n + 1
}

func (l *lengths) get(step tree.Step) (n uint32, ok bool) {
	if step.Edit != noEdit {
		n, ok = l.edited[step]
		return n, ok
	}
	if int(step.Entry) >= len(l.plain) || l.plain[step.Entry] == 0 {
		return 0, false
	}
	return l.plain[step.Entry] - 1, true
}
