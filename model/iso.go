package model

// parseISO reads a date in the forms of ECMAScript, [±YY]YYYY[-MM[-DD]] and
// [THH:mm[:ss[.s…]][Z|±HH:mm]], with V8's extensions: any number of digits after
// the point, and ±HHmm.
func parseISO(text []byte) (d date, ok bool) {
	p := isoParser{text: text}
	d = date{month: 1, day: 1}
	d.year, ok = p.year()
	if ok && p.skip('-') {
		d.month, ok = p.number(2, 1, 12)
		if ok && p.skip('-') {
			d.day, ok = p.number(2, 1, 31)
		}
	}
	if ok && (p.skip('T') || p.skip('t')) {
		ok = p.timeOfDay(&d) && p.zone(&d)
	}
	return d, ok && p.i == len(text)
}

// An isoParser goes over a text from left to right.
type isoParser struct {
	text []byte
	i    int
}

// skip passes c if it is next.
func (p *isoParser) skip(c byte) bool {
	if p.i < len(p.text) && p.text[p.i] == c {
		p.i++
		return true
	}
	return false
}

// number reads exactly width digits whose value is between low and high.
func (p *isoParser) number(width, low, high int) (n int, ok bool) {
	if len(p.text)-p.i < width {
		return 0, false
	}
	for range width {
		c := p.text[p.i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
		p.i++
	}
	return n, low <= n && n <= high
}

func (p *isoParser) year() (year int, ok bool) {
	switch {
	case p.skip('+'):
		return p.number(6, 0, 999_999)
	case p.skip('-'): // There is no year minus zero.
		year, ok = p.number(6, 1, 999_999)
		return -year, ok
	}
	return p.number(4, 0, 9999)
}

// timeOfDay reads what follows the T. The hour 24 is the end of the day.
func (p *isoParser) timeOfDay(d *date) (ok bool) {
	if d.hour, ok = p.number(2, 0, 24); !ok || !p.skip(':') {
		return false
	}
	if d.minute, ok = p.number(2, 0, 59); ok && p.skip(':') {
		if d.second, ok = p.number(2, 0, 59); ok && p.skip('.') {
			d.ms, ok = p.fraction()
		}
	}
	return ok && (d.hour < 24 || d.minute == 0 && d.second == 0 && d.ms == 0)
}

// fraction reads a fraction of a second in milliseconds; more digits than three
// are cut off.
func (p *isoParser) fraction() (ms int, ok bool) {
	unit := 100
	for p.i < len(p.text) {
		c := p.text[p.i]
		if c < '0' || c > '9' {
			break
		}
		ms += int(c-'0') * unit
		unit /= 10
		p.i++
		ok = true
	}
	return ms, ok
}

// zone reads the offset from UTC; without one the time is local.
func (p *isoParser) zone(d *date) bool {
	if p.i == len(p.text) {
		d.local = true
		return true
	}
	if p.skip('Z') || p.skip('z') {
		return true
	}
	sign := 1
	if p.skip('-') {
		sign = -1
	} else if !p.skip('+') {
		return false
	}
	hours, ok := p.number(2, 0, 23)
	if !ok {
		return false
	}
	p.skip(':')
	minutes, ok := p.number(2, 0, 59)
	d.offset = sign * (hours*60 + minutes)
	return ok
}
