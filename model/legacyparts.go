package model

// dayNumbers are the numbers of a day in the order in which they came, and the
// month if it came by name.
type dayNumbers struct {
	numbers [3]int
	n       int
	month   int
}

func (d *dayNumbers) add(n int) bool {
	if d.n == len(d.numbers) {
		return false
	}
	d.numbers[d.n] = n
	d.n++
	return true
}

// write decides which number means what: the first is the year if it can be no
// day, else month, day and year come in the American order. Numbers that are
// missing are 1, the year too, and years of two digits are those from 1950 to
// 2049.
func (d *dayNumbers) write(to *date) bool {
	if d.n == 0 {
		return false
	}
	for i := d.n; i < len(d.numbers); i++ {
		d.numbers[i] = 1
	}
	first, second, third := d.numbers[0], d.numbers[1], d.numbers[2]
	switch {
	case d.month == 0 && !isDay(first):
		to.year, to.month, to.day = first, second, third
	case d.month == 0:
		to.month, to.day, to.year = first, second, third
	case !isDay(first):
		to.year, to.month, to.day = first, d.month, second
	default:
		to.year, to.month, to.day = second, d.month, first
	}
	switch {
	case 0 <= to.year && to.year <= 49:
		to.year += 2000
	case 50 <= to.year && to.year <= 99:
		to.year += 1900
	}
	return 1 <= to.month && to.month <= 12 && isDay(to.day)
}

func isDay(n int) bool { return 1 <= n && n <= 31 }

// clockNumbers are hour, minute, second and millisecond, and am or pm.
type clockNumbers struct {
	numbers [4]int
	n       int
	half    string
}

func (c *clockNumbers) add(n int) bool {
	if c.n == len(c.numbers) {
		return false
	}
	c.numbers[c.n] = n
	c.n++
	return true
}

// finish adds n as the last number; what is missing is zero.
func (c *clockNumbers) finish(n int) {
	c.add(n)
	c.n = len(c.numbers)
}

// expects tells whether n can be the next number of a time that has begun.
func (c *clockNumbers) expects(n int) bool {
	limits := [...]int{0, 60, 60, 1000, 0}
	return n < limits[c.n]
}

func (c *clockNumbers) write(to *date) bool {
	to.hour, to.minute, to.second, to.ms = c.numbers[0], c.numbers[1], c.numbers[2], c.numbers[3]
	if c.half != "" {
		if to.hour > 12 {
			return false
		}
		to.hour %= 12
		if c.half == "pm" {
			to.hour += 12
		}
	}
	if to.hour == 24 {
		return to.minute == 0 && to.second == 0 && to.ms == 0
	}
	return to.hour < 24 && to.minute < 60 && to.second < 60 && to.ms < 1000
}

// zoneNumbers are an offset from UTC.
type zoneNumbers struct {
	known, west        bool
	hour, minute       int
	hasHour, hasMinute bool
}

// set takes the offset of a named zone.
func (z *zoneNumbers) set(hours int) {
	z.known, z.west = true, hours < 0
	z.setClock(max(hours, -hours), 0)
}

func (z *zoneNumbers) setClock(hour, minute int) {
	z.hour, z.hasHour = hour, true
	z.minute, z.hasMinute = minute, true
}

func (z *zoneNumbers) isUTC() bool {
	return z.hasHour && z.hasMinute && z.hour == 0 && z.minute == 0
}

// expectsMinute tells whether n can be the minutes after hours and a colon.
func (z *zoneNumbers) expectsMinute(n int) bool {
	return z.hasHour && !z.hasMinute && n < 60
}

func (z *zoneNumbers) write(to *date) {
	to.local = !z.known
	to.offset = z.hour*60 + z.minute
	if z.west {
		to.offset = -to.offset
	}
	if to.local {
		to.offset = 0
	}
}
