package model

// Valid tells whether JSON.parse takes the cleaned line. Nesting may be of any
// depth.
func Valid(line []byte) bool {
	c := newChecker(line)
	return c.isEnd(c.value(c.space(0)))
}

// A checker holds a text against JSON's grammar, exactly as JSON.parse does: no
// library that is as fast does so. Its methods take the offset at which something
// must begin and return the one behind it, or bad.
type checker struct {
	line []byte

	// The special bytes of the block of line that begins at block.
	block    int
	specials uint64
}

// bad is an offset that is none: the text is no JSON.
const bad = -1

func newChecker(line []byte) checker {
	return checker{line: line, block: -blockSize}
}

// isEnd tells whether nothing but white space is left at i.
func (c *checker) isEnd(i int) bool { return i != bad && c.space(i) == len(c.line) }

// at returns the byte at i, 0 at the end and where there is none.
func (c *checker) at(i int) byte {
	if uint(i) < uint(len(c.line)) {
		return c.line[i]
	}
	return 0
}

func (c *checker) space(i int) int {
	for i < len(c.line) && c.line[i] <= ' ' && isSpace(c.line[i]) {
		i++
	}
	return i
}

func (c *checker) value(i int) int {
	switch c.at(i) {
	case '"':
		return c.str(i)
	case '{', '[':
		return c.container(i)
	}
	return c.scalar(i)
}

// container takes an object or array and all that is in it.
func (c *checker) container(i int) int {
	var open nesting
	for {
		switch c.at(i) {
		case '{':
			open.push(1)
			if i = c.space(i + 1); c.at(i) != '}' {
				if i = c.key(i); i == bad {
					return bad
				}
				continue
			}
		case '[':
			open.push(0)
			if i = c.space(i + 1); c.at(i) != ']' {
				continue
			}
		case '"':
			i = c.str(i)
		default:
			i = c.scalar(i)
		}
		if i = c.closings(i, &open); i == bad || open.depth == 0 {
			return i
		}
		i = c.space(i + 1)
		if open.inObject() {
			if i = c.key(i); i == bad {
				return bad
			}
		}
	}
}

// closings takes the brackets that close behind a value, up to the last one or a
// comma.
func (c *checker) closings(i int, open *nesting) int {
	for i != bad {
		i = c.space(i)
		switch c.at(i) {
		case ',':
			return i
		case open.closing():
			open.pop()
			if i++; open.depth == 0 {
				return i
			}
		default:
			return bad
		}
	}
	return bad
}

// key takes a member's key, its colon and the space around that.
func (c *checker) key(i int) int {
	if c.at(i) != '"' {
		return bad
	}
	if i = c.str(i); i == bad {
		return bad
	}
	if i = c.space(i); c.at(i) != ':' {
		return bad
	}
	return c.space(i + 1)
}
