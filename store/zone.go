package store

import (
	"fmt"
	"time"
)

// zone tells the local time zone from others: times that have none are local, as in
// JavaScript, so that what was made of them in another zone is something else.
func zone() string {
	text := ""
	for year := 2023; year < 2030; year++ {
		for month := time.Month(1); month <= 12; month += 3 {
			_, offset := time.Date(year, month, 1, 0, 0, 0, 0, time.Local).Zone()
			text += fmt.Sprintf("%d ", offset)
		}
	}
	return text
}
