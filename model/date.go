package model

import "math"

// NoTime stands for a timestamp that is missing or that JavaScript's Date makes
// NaN of.
const NoTime = math.MinInt64

// ParseTime returns what `new Date(v).getTime()` gives for a stored timestamp:
// Unix milliseconds, or NoTime for NaN. Strings in the ISO 8601 forms of
// ECMAScript are read exactly, other strings as V8 does where that is common;
// numbers are milliseconds; null is 0, booleans 0 and 1.
func ParseTime(v Value) int64 { panic("todo") }

// FormatTime returns ms as toISOString does: 2025-12-09T00:53:29.825Z. It
// returns "" for NoTime.
func FormatTime(ms int64) string { panic("todo") }
