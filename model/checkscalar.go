package model

import "bytes"

func (c *checker) scalar(i int) int {
	switch c.at(i) {
	case 't':
		return c.literal(i, "true")
	case 'f':
		return c.literal(i, "false")
	case 'n':
		return c.literal(i, "null")
	}
	return c.number(i)
}

func (c *checker) literal(i int, word string) int {
	if !bytes.HasPrefix(c.line[i:], []byte(word)) {
		return bad
	}
	return i + len(word)
}

func (c *checker) number(i int) int {
	if c.at(i) == '-' {
		i++
	}
	if c.at(i) == '0' {
		i++
	} else {
		i = c.digits(i)
	}
	if i != bad && c.at(i) == '.' {
		i = c.digits(i + 1)
	}
	if i != bad && c.at(i)|0x20 == 'e' {
		if i++; c.at(i) == '+' || c.at(i) == '-' {
			i++
		}
		i = c.digits(i)
	}
	return i
}

// digits takes one digit or more.
func (c *checker) digits(i int) int {
	start := i
	for '0' <= c.at(i) && c.at(i) <= '9' {
		i++
	}
	if i == start {
		return bad
	}
	return i
}
