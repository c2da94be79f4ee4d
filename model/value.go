package model

import "iter"

// ValueKind tells what a [Value] is.
type ValueKind uint8

// The kinds of a JSON value, and Undefined for one that is not there.
const (
	Undefined ValueKind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Value is the text of one valid JSON value, as it is stored: numbers and
// strings keep their spelling. The nil Value is JavaScript's undefined. Values
// are slices of the line that they were decoded from and must not be changed.
//
// Methods assume valid JSON (see [Valid]); nesting may be of any depth, and no
// method recurses.
type Value []byte

// Kind tells what v is.
func (v Value) Kind() ValueKind { panic("todo") }

// Get returns the member of the object v that is called key, the last one if
// there are several, or nil if there is none or v is no object.
func (v Value) Get(key string) Value { panic("todo") }

// Members yields the members of the object v in stored order, duplicates
// included: the key, a string Value, and its value. Nothing if v is no object.
func (v Value) Members() iter.Seq2[Value, Value] { panic("todo") }

// Elements yields the elements of the array v, nothing if v is no array.
func (v Value) Elements() iter.Seq[Value] { panic("todo") }

// Text returns the decoded string v, "" if v is no string. Lone surrogates
// become U+FFFD.
func (v Value) Text() string { panic("todo") }

// AppendText appends the decoded string v to dst, nothing if v is no string.
func (v Value) AppendText(dst []byte) []byte { panic("todo") }

// Float returns the number v, false if v is no number. Like JSON.parse it
// rounds to the nearest float64, infinities included.
func (v Value) Float() (float64, bool) { panic("todo") }

// Truthy tells whether JavaScript takes v as true: neither undefined, null,
// false, zero nor the empty string.
func (v Value) Truthy() bool { panic("todo") }

// AppendCompact appends v without white space between tokens.
func (v Value) AppendCompact(dst []byte) []byte { panic("todo") }

// AppendIndented appends v as JSON.stringify(v, null, 2) lays it out, but with
// strings and numbers as stored. Below 64 levels it stays compact, so that the
// output is never quadratic in the input.
func (v Value) AppendIndented(dst []byte) []byte { panic("todo") }
