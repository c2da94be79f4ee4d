package fs

import (
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// transcriptFile is every entry of every branch once, in file order, and the
// damaged lines among them. It only grows, so it stays one node.
type transcriptFile struct{ s *session }

func (f transcriptFile) ID() ID { return f.s.id(kindTranscript, 0) }

func (f transcriptFile) Ino() uint64 { return f.s.ino(kindTranscript) }

func (f transcriptFile) Attr() (Attr, error) {
	v, _, err := f.s.view()
	if err != nil {
		return Attr{}, err
	}
	return f.s.file(lastTime(v)), nil
}

func (f transcriptFile) peek() (*composite, bool) {
	_, version, err := f.s.view()
	if err != nil {
		return nil, false
	}
	return peek[*composite](f.s, f.key(version))
}

func (f transcriptFile) key(version uint32) store.Key {
	return f.s.key(cachedTranscript, plainStep(int32(version)))
}

// composite puts the newest transcript together.
func (f transcriptFile) composite() (*composite, error) {
	v, version, err := f.s.view()
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(version), func() (*composite, int64, error) {
		c, err := f.s.transcript(v)
		if err != nil {
			return nil, 0, err
		}
		return c, c.cost() + 4*int64(len(c.ends)), nil
	})
}

func (f transcriptFile) size() (int64, error) {
	c, err := f.composite()
	if err != nil {
		return 0, err
	}
	return c.size(), nil
}

// transcript puts the entries and damaged lines of v together.
func (s *session) transcript(v *store.View) (*composite, error) {
	steps := make([]tree.Step, v.Tree.Len())
	for i := range steps {
		steps[i] = plainStep(int32(i))
	}
	if err := s.fragments.measure(v, steps); err != nil {
		return nil, err
	}
	sizes := make([]int64, len(steps))
	s.fragments.each(steps, func(i int, z pieceSize) { sizes[i] = z.in(imagesFromSession) })
	parts := make([]int32, 0, len(steps)+len(v.Damaged)) // entries, and ^n for the n-th damaged line
	lens := make([]int64, 0, cap(parts))
	damaged := 0
	for i := 0; i <= len(steps); i++ {
		for ; damaged < len(v.Damaged) && v.Damaged[damaged].Before == i; damaged++ {
			text, err := damagedText(v, v.Damaged[damaged])
			if err != nil {
				return nil, err
			}
			parts, lens = append(parts, ^int32(damaged)), append(lens, int64(len(text)))
		}
		if i < len(steps) {
			parts, lens = append(parts, int32(i)), append(lens, sizes[i])
		}
	}
	source := pieceReader{p: &s.fragments, v: v, steps: steps}
	return newComposite(render.TranscriptHead(nil, v.Header), nil, lens, source, func(r *pieceReader, i int) ([]byte, error) {
		if n := parts[i]; n < 0 {
			return damagedText(v, v.Damaged[^n])
		}
		f, err := r.read(int(parts[i]))
		return textIn(f, imagesFromSession), err
	}), nil
}

// damagedText renders a damaged line. There are few, so that is done each time.
func damagedText(v *store.View, d store.Damage) ([]byte, error) {
	line, err := v.DamagedLine(d)
	if err != nil {
		return nil, err
	}
	return render.Damaged(d.Line, line).Text, nil
}
