package model

import "math/bits"

// str takes a string.
func (c *checker) str(i int) int {
	line := c.line
	for i++; i < len(line); {
		if uint(i-c.block) >= blockSize {
			c.load(i)
		}
		block := c.block
		before := uint64(1)<<(uint(i-block)%blockSize) - 1
		i = block + blockSize
		for left := c.specials &^ before; left != 0; {
			n := bits.TrailingZeros64(left)
			at := block + n
			special := line[at]
			if special == '"' {
				return at + 1
			}
			if special != '\\' || !isEscaped[c.at(at+1)] && !c.isUnicode(at+1) {
				return bad
			}
			left &^= 3 << (uint(n) % blockSize) // What is escaped is special no more.
			if n == blockSize-1 {
				i++
			}
		}
	}
	return bad
}

// load finds the special bytes of the block that begins at i.
func (c *checker) load(i int) {
	c.block = i
	rest := c.line[i:]
	if len(rest) >= blockSize {
		c.specials = specials((*[blockSize]byte)(rest))
		return
	}
	var padded [blockSize]byte
	copy(padded[:], rest)
	c.specials = specials(&padded) & (1<<len(rest) - 1)
}

// isUnicode tells whether a u and four hexadecimal digits stand at i.
func (c *checker) isUnicode(i int) bool {
	if c.at(i) != 'u' {
		return false
	}
	_, ok := hex4(c.line[i+1:])
	return ok
}

// isEscaped has what may follow a backslash, but for u.
var isEscaped = func() (set [256]bool) {
	for _, c := range `"\/bfnrt` {
		set[c] = true
	}
	return set
}()
