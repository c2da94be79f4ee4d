package model

import "bytes"

// parseLegacy reads a date that is in none of the ISO forms as V8 does: numbers
// are parts of a time of day if a colon or point follows, or one went before, and
// else of a day; words are months, time zones, am and pm; other words are passed
// over as long as no number has come.
func parseLegacy(text []byte) (d date, ok bool) {
	p := legacyParser{text: bytes.Map(plainSpace, text)}
	if !p.begin() {
		return date{}, false
	}
	for p.peek() != 0 {
		if !p.next() {
			return date{}, false
		}
	}
	ok = p.day.write(&d) && p.clock.write(&d)
	p.zone.write(&d)
	return d, ok
}

// plainSpace makes a space of Unicode's other spaces, which localized dates have.
// The line separators are none of them.
func plainSpace(r rune) rune {
	if r >= 0x80 && r != '\u2028' && r != '\u2029' && isBlank(r) {
		return ' '
	}
	return r
}

// A legacyParser goes over a text without NUL from left to right.
type legacyParser struct {
	text []byte
	i    int

	day       dayNumbers
	clock     clockNumbers
	zone      zoneNumbers
	sawNumber bool
}

// peek returns the next byte, 0 at the end.
func (p *legacyParser) peek() byte {
	if p.i < len(p.text) {
		return p.text[p.i]
	}
	return 0
}

func (p *legacyParser) skip(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.i++
	return true
}

// begin takes what looks like an ISO date, the year first. A T after it would
// have to begin a time in the ISO form.
func (p *legacyParser) begin() bool {
	iso := isoParser{text: p.text}
	year, ok := iso.year()
	if !ok || isDigitAt(p.text, iso.i) {
		return true
	}
	p.i = iso.i
	p.sawNumber = true
	p.day.add(year)
	for _, high := range [...]int{12, 31} {
		if !p.skip('-') {
			break
		}
		iso.i = p.i
		n, ok := iso.number(2, 1, high)
		if !ok || isDigitAt(p.text, iso.i) {
			return true
		}
		p.i = iso.i
		p.day.add(n)
	}
	word := *p
	prefix, length := word.word()
	return length != 1 || prefix[0] != 't'
}

func isDigitAt(text []byte, i int) bool {
	return i < len(text) && '0' <= text[i] && text[i] <= '9'
}

// next takes the next number, word or sign.
func (p *legacyParser) next() bool {
	switch c := p.peek(); {
	case '0' <= c && c <= '9':
		p.sawNumber = true
		return p.number()
	case c >= 'A':
		return p.anyWord()
	case c == '+' || c == '-':
		p.i++
		if p.clock.n > 0 || p.zone.isUTC() {
			p.sawNumber = true
			return p.offset(c)
		}
		return !p.sawNumber
	case c == ')':
		p.i++
		return !p.sawNumber
	case c == '(':
		p.parentheses()
	default:
		p.i++
	}
	return true
}

// parentheses passes a comment.
func (p *legacyParser) parentheses() {
	for depth := 0; p.peek() != 0; {
		switch p.peek() {
		case '(':
			depth++
		case ')':
			depth--
		}
		p.i++
		if depth == 0 {
			return
		}
	}
}

// digits reads a row of digits; of more than nine the rest does not count.
func (p *legacyParser) digits() (n, length int) {
	const significant = 9
	for isDigitAt(p.text, p.i) {
		if length < significant {
			n = n*10 + int(p.text[p.i]-'0')
		}
		length++
		p.i++
	}
	return n, length
}

func (p *legacyParser) number() bool {
	n, _ := p.digits()
	if p.skip(':') {
		if p.skip(':') {
			return p.clock.n == 0 && p.clock.add(n) && p.clock.add(0)
		}
		ok := p.clock.add(n)
		p.skip('.')
		return ok
	}
	point := p.skip('.')
	switch {
	case point && p.clock.expects(n):
		return p.fraction(n)
	case p.zone.expectsMinute(n):
		p.zone.minute, p.zone.hasMinute = n, true
	case p.clock.expects(n):
		p.clock.finish(n)
		return p.endsClock()
	default:
		ok := p.day.add(n)
		p.skip('-')
		return ok
	}
	return true
}

// fraction takes the milliseconds after n and a point.
func (p *legacyParser) fraction(n int) bool {
	p.clock.add(n)
	iso := isoParser{text: p.text, i: p.i}
	ms, ok := iso.fraction()
	p.i = iso.i
	p.clock.finish(ms)
	return ok
}

// endsClock tells whether what follows may end a time of day.
func (p *legacyParser) endsClock() bool {
	switch c := p.peek(); {
	case c == 0, c == '+', c == '-', isBlank(rune(c)):
		return true
	case c >= 'A':
		word := *p
		prefix, length := word.word()
		return length == 1 && prefix[0] == 'z'
	}
	return false
}
