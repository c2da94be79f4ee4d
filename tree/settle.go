package tree

import "slices"

// settle brings the parents up to date with the ids. It goes over all entries,
// but does so only if a parent has come after its child or an id has been used
// again.
func (b *Builder) settle() {
	if len(b.late) == 0 && len(b.overtaken) == 0 {
		return
	}
	if b.changesPast() {
		b.revision++
	}
	if b.parentsShared {
		b.parents, b.parentsShared = slices.Clone(b.parents), false
	}
	for _, s := range b.severed {
		b.parents[s.entry] = s.parent
	}
	for _, l := range b.late {
		b.parents[l.entry] = l.parent
	}
	b.adopt()
	b.sever()
	b.late, b.overtaken = nil, nil
}

// changesPast tells whether what is to be settled changes entries that the last
// tree shows.
func (b *Builder) changesPast() bool {
	if b.last == nil {
		return false
	}
	shown := int32(b.last.Len())
	return slices.ContainsFunc(b.late, func(l link) bool { return l.entry < shown }) ||
		slices.ContainsFunc(b.overtaken, func(i int32) bool { return i < shown })
}

// adopt gives the children of entries that have lost their id to the entries that
// have it now.
func (b *Builder) adopt() {
	if len(b.overtaken) == 0 {
		return
	}
	b.shadowed = append(slices.Clone(b.shadowed), b.overtaken...)
	slices.Sort(b.shadowed)
	for i, p := range b.parents {
		if p != None && b.isShadowed(p) {
			_, b.parents[i] = b.probe(b.keyAt(p))
		}
	}
}

// sever makes a root of one entry of each cycle: of the first in the file, so
// that the outcome depends on nothing but the file's content. A cycle that runs
// through a parentId "" is severed there, since pi's walks end there anyway.
func (b *Builder) sever() {
	b.severed = nil
	seen := make([]ref, b.len()) // the entry from which a walk came there first
	for start := range int32(b.len()) {
		i := start
		for i != None && seen[i] == 0 {
			seen[i] = refTo(start)
			i = b.parents[i]
		}
		if i != None && seen[i] == refTo(start) {
			i = b.closing(i)
			b.severed = append(b.severed, link{i, b.parents[i]})
			b.parents[i] = None
		}
	}
	slices.SortFunc(b.severed, func(l, m link) int { return l.compare(m.entry) })
}

// closing returns the entry that closes the cycle on which entry i is.
func (b *Builder) closing(i int32) int32 {
	first := i
	for at := i; ; {
		if b.parents[at] == b.blank.index() {
			return at
		}
		first = min(first, at)
		if at = b.parents[at]; at == i {
			return first
		}
	}
}
