package model

import "bytes"

// Valid tells whether JSON.parse takes the cleaned line. Nesting may be of any
// depth.
func Valid(line []byte) bool {
	c := checker{v: line}
	return c.document()
}

// A checker goes over a text from left to right and holds it against JSON's
// grammar. Each step moves i behind what it names, or returns false.
type checker struct {
	v     Value
	i     int
	depth int
	// objects has a bit for each open bracket: 1 for an object. A bit a level is
	// what makes a line of 100 MiB of brackets harmless.
	objects []uint64
}

func (c *checker) document() bool {
	for {
		opened, ok := c.value()
		if !ok {
			return false
		}
		if opened {
			continue
		}
		if ended, ok := c.after(); ended || !ok {
			return ok
		}
	}
}

// value takes one scalar or empty container, or the opening of another
// container, in an object with its first key.
func (c *checker) value() (opened, ok bool) {
	switch c.token() {
	case '{':
		c.i++
		if c.token() == '}' {
			c.i++
			return false, true
		}
		c.open(1)
		return true, c.key()
	case '[':
		c.i++
		if c.token() == ']' {
			c.i++
			return false, true
		}
		c.open(0)
		return true, true
	case '"':
		return false, c.str()
	case 't':
		return false, c.literal("true")
	case 'f':
		return false, c.literal("false")
	case 'n':
		return false, c.literal("null")
	}
	return false, c.number()
}

// after takes the brackets that close behind a value, and the comma after them,
// in an object with the next key. ended tells that the text is over.
func (c *checker) after() (ended, ok bool) {
	for c.depth > 0 {
		closing := byte(']')
		if c.inObject() {
			closing = '}'
		}
		switch c.token() {
		case ',':
			c.i++
			return false, !c.inObject() || c.key()
		case closing:
			c.i++
			c.depth--
		default:
			return false, false
		}
	}
	c.token()
	return true, c.i == len(c.v)
}

func (c *checker) open(object uint64) {
	word, bit := c.depth/64, c.depth%64
	if word == len(c.objects) {
		c.objects = append(c.objects, 0)
	}
	c.objects[word] = c.objects[word]&^(1<<bit) | object<<bit
	c.depth++
}

func (c *checker) inObject() bool {
	top := c.depth - 1
	return c.objects[top/64]>>(top%64)&1 == 1
}

// token passes white space and returns the next byte, 0 at the end (which no
// token begins with).
func (c *checker) token() byte {
	c.i = c.v.space(c.i)
	return c.peek()
}

func (c *checker) peek() byte {
	if c.i < len(c.v) {
		return c.v[c.i]
	}
	return 0
}

// key takes a member's key and its colon.
func (c *checker) key() bool {
	if c.token() != '"' || !c.str() || c.token() != ':' {
		return false
	}
	c.i++
	return true
}

func (c *checker) str() bool {
	for c.i++; c.i < len(c.v); c.i++ {
		switch b := c.v[c.i]; {
		case b == '"':
			c.i++
			return true
		case b < ' ':
			return false
		case b == '\\':
			c.i++
			if !c.escape() {
				return false
			}
		}
	}
	return false
}

// escape takes what follows a backslash, but for its last byte.
func (c *checker) escape() bool {
	switch c.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		_, ok := hex4(c.v[c.i+1:])
		c.i += 4
		return ok
	}
	return false
}

func (c *checker) literal(word string) bool {
	ok := bytes.HasPrefix(c.v[c.i:], []byte(word))
	c.i += len(word)
	return ok
}

func (c *checker) number() bool {
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
	} else if !c.digits() {
		return false
	}
	if c.peek() == '.' {
		c.i++
		if !c.digits() {
			return false
		}
	}
	if c.peek()|0x20 == 'e' {
		c.i++
		if sign := c.peek(); sign == '+' || sign == '-' {
			c.i++
		}
		return c.digits()
	}
	return true
}

// digits takes one digit or more.
func (c *checker) digits() bool {
	start := c.i
	for '0' <= c.peek() && c.peek() <= '9' {
		c.i++
	}
	return c.i > start
}
