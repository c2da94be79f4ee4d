package fs

import (
	"path"
	"strconv"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

// entryName is the id of entry i as a file name.
func entryName(v *store.View, i uint32) string { return model.FileName(v.Tree.ID(int(i))) }

// branchesDir lists the tips of the session's tree and finds every entry.
type branchesDir struct{ s *session }

func (d branchesDir) ID() ID { return d.s.id(kindBranches, 0) }

func (d branchesDir) Ino() uint64 { return d.s.ino(kindBranches) }

func (d branchesDir) Attr() (Attr, error) {
	v, _, err := d.s.view()
	if err != nil {
		return Attr{}, err
	}
	return d.s.dir(lastTime(v)), nil
}

func (d branchesDir) Lookup(name string) (Node, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	if i, ok := findEntry(v.Tree, name); ok {
		return branchDir{d.s, uint32(i)}, nil
	}
	return nil, ErrNotExist
}

func (d branchesDir) Entries() ([]Entry, error) {
	v, _, err := d.s.view()
	if err != nil {
		return nil, err
	}
	tips := v.Tree.Branches()
	list := make([]Entry, len(tips))
	for n, i := range tips {
		list[n] = Entry{entryName(v, uint32(i)), branchDir{d.s, uint32(i)}}
	}
	return list, nil
}

// branchDir is the context at an entry.
type branchDir struct {
	s  *session
	at uint32
}

func (d branchDir) ID() ID { return d.s.id(kindBranch, d.at) }

func (d branchDir) Ino() uint64 { return d.s.ino(kindBranch, uint64(d.at)) }

func (d branchDir) Attr() (Attr, error) {
	v, err := d.s.entry(d.at)
	if err != nil {
		return Attr{}, err
	}
	return d.s.dir(timeOf(v, int(d.at))), nil
}

func (d branchDir) Lookup(name string) (Node, error) {
	list, _ := d.Entries()
	return pick(list, name)
}

func (d branchDir) Entries() ([]Entry, error) {
	return []Entry{
		{nameContext, compositeFile{contextFile{d.s, kindContext, d.at}}},
		{nameContextJSON, compositeFile{contextFile{d.s, kindContextJSON, d.at}}},
		{namePath, pathDir(d)},
	}, nil
}

// pathDir lists the entries from the root to an entry.
type pathDir struct {
	s  *session
	at uint32
}

func (d pathDir) ID() ID { return d.s.id(kindPath, d.at) }

func (pathDir) plentiful() {}

func (d pathDir) Ino() uint64 { return d.s.ino(kindPath, uint64(d.at)) }

func (d pathDir) Attr() (Attr, error) {
	v, err := d.s.entry(d.at)
	if err != nil {
		return Attr{}, err
	}
	return d.s.dir(timeOf(v, int(d.at))), nil
}

func (d pathDir) Lookup(name string) (Node, error) {
	v, entries, err := d.s.path(d.at)
	if err != nil {
		return nil, err
	}
	digits := 0
	for digits < len(name) && '0' <= name[digits] && name[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(name[:digits])
	if err != nil || n < 1 || n > len(entries) || stepName(v, entries, n) != name {
		return nil, ErrNotExist
	}
	return pathStep{d.s, d.at, uint32(n)}, nil
}

func (d pathDir) Entries() ([]Entry, error) {
	v, entries, err := d.s.path(d.at)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(entries))
	for i := range entries {
		list[i] = Entry{stepName(v, entries, i+1), pathStep{d.s, d.at, uint32(i + 1)}}
	}
	return list, nil
}

// path returns the entries from the root to the entry at.
func (s *session) path(at uint32) (*store.View, []int32, error) {
	v, err := s.entry(at)
	if err != nil {
		return nil, nil, err
	}
	key := s.key(cachedPath, plainStep(int32(at)))
	entries, err := cached(s, key, func() ([]int32, int64, error) {
		p := v.Tree.Path(int(at))
		return p, 4 * int64(cap(p)), nil
	})
	return v, entries, err
}

// stepName is what the n-th entry of a path is called there: its place, its role
// or else type, its id.
func stepName(v *store.View, entries []int32, n int) string {
	i := int(entries[n-1])
	word := v.Tree.Word(i)
	if word == "" {
		word = "unknown"
	}
	name := make([]byte, 0, 64)
	least := 1 // the least number with as many digits as are shown
	for range max(4, len(strconv.Itoa(len(entries)))) - 1 {
		least *= 10
	}
	for ; n < least && least > 1; least /= 10 {
		name = append(name, '0')
	}
	name = strconv.AppendInt(name, int64(n), 10)
	name = append(append(append(name, '-'), word...), '-')
	name = append(name, v.Tree.ID(i)...)
	return model.FileName(string(name)) + ".md"
}

// pathStep is a link in a path.
type pathStep struct {
	s  *session
	at uint32 // the entry whose path it is
	n  uint32 // place in the path, from 1
}

func (l pathStep) ID() ID {
	return makeID(kindStep, l.s.tree.pairs.of(pair{l.s.store.Slot, l.at}), l.n)
}

func (l pathStep) Ino() uint64 { return l.s.ino(kindStep, uint64(l.at), uint64(l.n)) }

// entry is the entry that the link leads to.
func (l pathStep) entry() (*store.View, uint32, error) {
	v, entries, err := l.s.path(l.at)
	if err != nil {
		return nil, 0, err
	}
	if l.n < 1 || int(l.n) > len(entries) {
		return nil, 0, ErrStale
	}
	return v, uint32(entries[l.n-1]), nil
}

func (l pathStep) Attr() (Attr, error) {
	v, i, err := l.entry()
	if err != nil {
		return Attr{}, err
	}
	return l.s.link(timeOf(v, int(i))), nil
}

func (l pathStep) Target() (string, error) {
	v, i, err := l.entry()
	if err != nil {
		return "", err
	}
	return path.Join("../../..", nameEntries, entryName(v, i)+".md"), nil
}
