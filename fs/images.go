package fs

import (
	"strconv"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

// imagesDir holds the session's images, decoded.
type imagesDir struct{ s *session }

// An imageRef is an image of the session.
type imageRef struct {
	entry, n uint32
	ext      string
}

func (d imagesDir) ID() ID { return d.s.id(kindImages, 0) }

func (d imagesDir) Ino() uint64 { return d.s.ino(kindImages) }

func (d imagesDir) Attr() (Attr, error) {
	v, _, err := d.s.view()
	if err != nil {
		return Attr{}, err
	}
	return d.s.dir(lastTime(v)), nil
}

func (d imagesDir) Lookup(name string) (Node, error) {
	list, err := d.Entries()
	if err != nil {
		return nil, err
	}
	return pick(list, name)
}

func (d imagesDir) Entries() ([]Entry, error) {
	v, version, err := d.s.view()
	if err != nil {
		return nil, err
	}
	key := d.s.key(cachedImages, plainStep(int32(version)))
	refs, err := cached(d.s, key, func() ([]imageRef, int64, error) {
		refs, err := findImages(v)
		return refs, 24 * int64(cap(refs)), err
	})
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(refs))
	for i, r := range refs {
		list[i] = Entry{entryName(v, r.entry) + "-" + strconv.Itoa(int(r.n)) + "." + r.ext, wholeFile{imageFile{d.s, r.entry, r.n}}}
	}
	return list, nil
}

// findImages looks for images in the entries that may have some.
func findImages(v *store.View) (refs []imageRef, err error) {
	var candidates []int32
	for i := range v.Tree.Len() {
		if v.Tree.MayHaveImages(i) {
			candidates = append(candidates, int32(i))
		}
	}
	err = v.Each(candidates, func(i int, e *model.Entry) error {
		for m := range model.Images(*e) {
			if _, ok := m.Size(); ok {
				refs = append(refs, imageRef{uint32(i), uint32(m.N), m.Ext()})
			}
		}
		return nil
	})
	return refs, err
}

// imageFile is the n-th image of an entry, from 1.
type imageFile struct {
	s     *session
	entry uint32
	n     uint32
}

func (f imageFile) ID() ID {
	return makeID(kindImage, f.s.tree.pairs.of(pair{f.s.store.Slot, f.entry}), f.n)
}

func (f imageFile) Ino() uint64 { return f.s.ino(kindImage, uint64(f.entry), uint64(f.n)) }

func (f imageFile) Attr() (Attr, error) {
	v, err := f.s.entry(f.entry)
	if err != nil {
		return Attr{}, err
	}
	return f.s.file(timeOf(v, int(f.entry))), nil
}

func (f imageFile) peek() ([]byte, bool) { return peek[[]byte](f.s, f.key()) }

func (f imageFile) key() store.Key {
	return store.Key{Slot: f.s.store.Slot, Kind: cachedText + uint8(kindImage), Entry: int32(f.entry), Edit: int32(f.n)}
}

func (f imageFile) text() ([]byte, error) {
	v, err := f.s.entry(f.entry)
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(), func() ([]byte, int64, error) {
		e, err := v.Entry(int(f.entry))
		if err != nil {
			return nil, 0, err
		}
		for m := range model.Images(e) {
			if m.N == int(f.n) {
				data, err := m.Decode()
				return data, int64(cap(data)), err
			}
		}
		return nil, 0, ErrStale
	})
}
