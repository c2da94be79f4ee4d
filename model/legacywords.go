package model

import "strings"

// word reads a word and returns its first letters in lower case.
func (p *legacyParser) word() (prefix [3]byte, length int) {
	for p.peek() >= 'A' {
		if length < len(prefix) {
			prefix[length] = lower(p.text[p.i])
		}
		length++
		p.i++
	}
	return prefix, length
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// months have the first three letters of a month's name each.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// zones are hours east of UTC.
var zones = map[string]int{
	"ut": 0, "utc": 0, "z": 0, "gmt": 0,
	"cdt": -5, "cst": -6, "edt": -4, "est": -5, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8,
}

// anyWord takes a word: only the first three letters of a month's name count.
func (p *legacyParser) anyWord() bool {
	prefix, length := p.word()
	text := string(prefix[:min(length, len(prefix))])
	if at := strings.Index(months, text); length >= 3 && at >= 0 && at%3 == 0 {
		p.day.month = at/3 + 1
		p.skip('-')
		return true
	}
	if p.clock.n > 0 && length == 2 && (text == "am" || text == "pm") {
		p.clock.half = text
		return true
	}
	if hours, ok := zones[text]; ok && length <= 3 && p.sawNumber {
		p.zone.set(hours)
		return true
	}
	return !p.sawNumber && !isDigitAt(p.text, p.i)
}

// offset takes what follows the sign of an offset from UTC.
func (p *legacyParser) offset(sign byte) bool {
	p.zone.west = sign == '-'
	p.zone.known = true
	n, length := p.digits()
	switch {
	case p.peek() == ':':
		p.zone.hour, p.zone.hasHour = n, true
		p.zone.minute, p.zone.hasMinute = 0, false
	case length == 1 || length == 2:
		p.zone.setClock(n, 0)
	case length == 3 || length == 4:
		p.zone.setClock(n/100, n%100)
	default:
		return false
	}
	return true
}
