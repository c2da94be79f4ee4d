package model

import (
	"bytes"
	"math"
	"time"
)

// NoTime stands for a timestamp that is missing or that JavaScript's Date makes
// NaN of.
const NoTime = math.MinInt64

// maxTime is how far from 1970, in milliseconds, JavaScript's Date goes.
const maxTime = 8.64e15

const (
	msPerSecond = 1000
	msPerMinute = 60 * msPerSecond
	msPerHour   = 60 * msPerMinute
	msPerDay    = 24 * msPerHour
)

// ParseTime returns what `new Date(v).getTime()` gives for a stored timestamp:
// Unix milliseconds, or NoTime for NaN. Strings in the ISO 8601 forms of
// ECMAScript are read exactly, other strings as V8 does where that is common;
// numbers are milliseconds; null is 0, booleans 0 and 1; arrays and objects are
// NoTime. Strings without a time zone mean local time, but for dates alone.
func ParseTime(v Value) int64 {
	switch v.Kind() {
	case Null:
		return 0
	case Bool:
		if v.Truthy() {
			return 1
		}
		return 0
	case Number:
		n, _ := v.Float()
		if math.Abs(n) <= maxTime {
			return int64(n)
		}
	case String:
		if text, ok := v.plain(); ok {
			return parseDate(text)
		}
		var space [64]byte
		return parseDate(v.AppendText(space[:0]))
	}
	return NoTime
}

// FormatTime returns ms as toISOString does: 2025-12-09T00:53:29.825Z. It
// returns "" for NoTime and what else a Date cannot hold.
func FormatTime(ms int64) string { return string(AppendTime(nil, ms)) }

// AppendTime appends what FormatTime returns.
func AppendTime(dst []byte, ms int64) []byte {
	if ms < -maxTime || ms > maxTime {
		return dst
	}
	t := time.UnixMilli(ms).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	switch {
	case year < 0:
		dst = appendDigits(append(dst, '-'), -year, 6)
	case year > 9999:
		dst = appendDigits(append(dst, '+'), year, 6)
	default:
		dst = appendDigits(dst, year, 4)
	}
	dst = appendDigits(append(dst, '-'), int(month), 2)
	dst = appendDigits(append(dst, '-'), day, 2)
	dst = appendDigits(append(dst, 'T'), hour, 2)
	dst = appendDigits(append(dst, ':'), minute, 2)
	dst = appendDigits(append(dst, ':'), second, 2)
	dst = appendDigits(append(dst, '.'), t.Nanosecond()/int(time.Millisecond), 3)
	return append(dst, 'Z')
}

// appendDigits appends the last width digits of n.
func appendDigits(dst []byte, n, width int) []byte {
	dst = append(dst, "000000"[:width]...)
	for i := len(dst) - 1; n > 0 && width > 0; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
		width--
	}
	return dst
}

// A date is a date and time of day in parts, before they become a time.
type date struct {
	year, month, day     int // month and day from 1
	hour, minute, second int
	ms                   int
	local                bool // in the local time zone, else offset counts
	offset               int  // minutes east of UTC
}

// time returns d in Unix milliseconds, or NoTime.
func (d date) time() int64 {
	if d.year < -300_000 || d.year > 300_000 { // Far beyond maxTime, and safe from overflow.
		return NoTime
	}
	var ms int64
	if d.local {
		// A day such as February 31 rolls over here as it does there.
		ms = time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, d.ms*1e6, time.Local).UnixMilli()
	} else {
		ms = daysSince1970(d.year, d.month, d.day)*msPerDay + int64(d.hour)*msPerHour +
			int64(d.minute-d.offset)*msPerMinute + int64(d.second)*msPerSecond + int64(d.ms)
	}
	if ms < -maxTime || ms > maxTime {
		return NoTime
	}
	return ms
}

// daysSince1970 counts days in the Gregorian calendar, extended to all years. It
// counts years from March, so that the leap day is a year's last.
func daysSince1970(year, month, day int) int64 {
	const (
		daysIn400Years     = 146_097
		daysFromMarch0     = 719_468 // March 1st of year 0 to January 1st of 1970
		marchToJanuary     = 9
		monthsBeforeMarch  = 2
		fiveMonthsOfDays   = 153 // March to July, August to December: 31, 30, 31, 30, 31
		yearsInA400YearRun = 400
	)
	if month <= monthsBeforeMarch {
		year--
		month += marchToJanuary
	} else {
		month -= monthsBeforeMarch + 1
	}
	run := year / yearsInA400YearRun
	if year < 0 {
		run = (year - yearsInA400YearRun + 1) / yearsInA400YearRun
	}
	y := year - run*yearsInA400YearRun
	days := run*daysIn400Years + y*365 + y/4 - y/100 + (fiveMonthsOfDays*month+2)/5 + day - 1
	return int64(days - daysFromMarch0)
}

// parseDate reads text as JavaScript's Date.parse does. To V8 a NUL ends the text.
func parseDate(text []byte) int64 {
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	if d, ok := parseISO(text); ok {
		return d.time()
	}
	if d, ok := parseLegacy(text); ok {
		return d.time()
	}
	return NoTime
}
