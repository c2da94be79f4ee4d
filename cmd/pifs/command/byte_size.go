package command

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag's value: a number of bytes, with K, M or G for their powers
// of 1024.
type byteSize int64

func (b *byteSize) Type() string { return "SIZE" }

func (b *byteSize) String() string {
	n, unit := int64(*b), 0
	for n != 0 && n%1024 == 0 && unit < 3 {
		n /= 1024
		unit++
	}
	return strconv.FormatInt(n, 10) + [...]string{"", "K", "M", "G"}[unit]
}

func (b *byteSize) Set(text string) error {
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	shift := 0
	if n := len(digits); n > 0 {
		if at := strings.IndexByte("KMG", digits[n-1]); at >= 0 {
			digits, shift = digits[:n-1], 10*(at+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return fmt.Errorf("%q is no size: write 64M or 1G", text)
	}
	*b = byteSize(n << shift)
	return nil
}
