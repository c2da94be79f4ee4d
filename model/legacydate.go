package model

// parseLegacy reads a date in none of the ISO forms.
func parseLegacy([]byte) (d date, ok bool) { return date{}, false }
