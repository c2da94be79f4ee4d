package model

// nesting is a stack of brackets with a bit for each: 1 for an object, 0 for an
// array. A bit a level is what makes a line of 100 MiB of brackets harmless.
type nesting struct {
	depth  int
	top    uint64   // the brackets since depth was last a multiple of 64, the latest lowest
	deeper []uint64 // those before, 64 in each
}

func (n *nesting) push(object uint64) {
	if n.depth%64 == 0 && n.depth > 0 {
		n.deeper = append(n.deeper, n.top)
	}
	n.top = n.top<<1 | object
	n.depth++
}

func (n *nesting) pop() {
	n.top >>= 1
	n.depth--
	if n.depth%64 == 0 && n.depth > 0 {
		last := len(n.deeper) - 1
		n.top, n.deeper = n.deeper[last], n.deeper[:last]
	}
}

func (n *nesting) inObject() bool { return n.top&1 == 1 }

// closing returns the bracket that closes the latest one.
func (n *nesting) closing() byte {
	const fromArrayToObject = '}' - ']'
	return ']' + byte(n.top&1)*fromArrayToObject
}
