package model

// FileName writes data (an id, a label, a title) as a file name that can stand
// in any directory. `/`, `%`, control characters, bidi controls, bytes that are
// no UTF-8, a leading `.`, `-` or `#` and a trailing `~` or space are written
// %XX (each byte); the empty text is "%". Over 200 bytes the name is cut at a
// character (never inside a %XX) and gets `~` and 8 hex digits of text's SHA-256. Two texts
// never get one name.
func FileName(text string) string { panic("todo") }

// ParseFileName is the reverse of FileName for what a user typed: %XX are
// decoded, everything else stands for itself. ok is false if the result is no
// UTF-8 or a % is not followed by two hex digits (a name that is "%" alone
// is the empty text).
func ParseFileName(name string) (text string, ok bool) { panic("todo") }
