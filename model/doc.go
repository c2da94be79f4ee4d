// Package model holds the lines of a pi session file as data: the header,
// entries, messages and content blocks, how they are decoded, and how pi would
// write them.
//
// pi reads session files without validation, so any field may be missing, null
// or of another type than usual. The types here therefore keep the stored JSON
// ([Value]) and give it a meaning only where it is used, with JavaScript's own
// rules where pi relies on them (truthiness, dates, the last of duplicate keys).
//
// The package imports nothing else of pifs and does no I/O.
package model
