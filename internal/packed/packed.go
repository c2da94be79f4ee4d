// Package packed writes columns of numbers and texts as bytes, and reads them back
// from bytes that may be anything: a [Reader] never takes more memory than a few times
// what its input has, and tells at the end whether all was well.
package packed

import (
	"encoding/binary"
	"errors"
)

// ErrDamaged is what a Reader ends with that was given other bytes than were
// written.
var ErrDamaged = errors.New("damaged")

// AppendText appends a text and its length.
func AppendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// AppendTexts appends texts, but not how many. They are read faster than as many
// single ones.
func AppendTexts(dst []byte, texts []string) []byte {
	sum := 0
	for _, text := range texts {
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		sum += len(text)
	}
	dst = binary.AppendUvarint(dst, uint64(sum))
	for _, text := range texts {
		dst = append(dst, text...)
	}
	return dst
}

// Append32 appends a column, four bytes a number, but not its length.
func Append32[T ~int32 | ~uint32](dst []byte, column []T) []byte {
	for _, n := range column {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

// Append64 appends a column, eight bytes a number, but not its length.
func Append64(dst []byte, column []int64) []byte {
	for _, n := range column {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	return dst
}

// A Reader reads what the functions of this package and of encoding/binary have
// appended, in the same order. Once something is not as it should be all that it
// returns is zero or nil.
type Reader struct {
	rest    []byte
	damaged bool
}

// NewReader returns a reader of data, which it does not keep anything of but what
// Bytes returns.
func NewReader(data []byte) *Reader { return &Reader{rest: data} }

// Fail notes that what was read makes no sense.
func (r *Reader) Fail() { r.rest, r.damaged = nil, true }

// Check fails unless ok.
func (r *Reader) Check(ok bool) {
	if !ok {
		r.Fail()
	}
}

// End returns ErrDamaged if something was not as it should be, or is left over.
func (r *Reader) End() error {
	if r.damaged || len(r.rest) > 0 {
		return ErrDamaged
	}
	return nil
}

// Rest returns what has not been read yet. It is part of the input.
func (r *Reader) Rest() []byte { return r.rest }

// Bytes returns the next n bytes. They are part of the input.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return nil
	}
	next := r.rest[:n:n]
	r.rest = r.rest[n:]
	return next
}

// Uvarint reads what binary.AppendUvarint has appended.
func (r *Reader) Uvarint() uint64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[length:]
	return n
}

// Varint reads what binary.AppendVarint has appended.
func (r *Reader) Varint() int64 {
	n, length := binary.Varint(r.rest)
	if length <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[length:]
	return n
}

// Number reads a Uvarint that is at most max.
func (r *Reader) Number(max int64) int64 {
	n := r.Uvarint()
	if n > uint64(max) {
		r.Fail()
		return 0
	}
	return int64(n)
}

// Count reads how many things follow that take at least size bytes each.
func (r *Reader) Count(size int) int { return int(r.Number(int64(len(r.rest) / size))) }

// Uint32 reads what binary.LittleEndian.AppendUint32 has appended.
func (r *Reader) Uint32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Column32 reads a column of n numbers that Append32 has appended.
func Column32[T ~int32 | ~uint32](r *Reader, n int) []T {
	if n == 0 || n > len(r.rest)/4 {
		r.Check(n == 0)
		return nil
	}
	in := r.Bytes(4 * n)
	column := make([]T, n)
	for i := range column {
		column[i] = T(binary.LittleEndian.Uint32(in[4*i:]))
	}
	return column
}

// Column64 reads a column of n numbers that Append64 has appended.
func (r *Reader) Column64(n int) []int64 {
	if n == 0 || n > len(r.rest)/8 {
		r.Check(n == 0)
		return nil
	}
	in := r.Bytes(8 * n)
	column := make([]int64, n)
	for i := range column {
		column[i] = int64(binary.LittleEndian.Uint64(in[8*i:]))
	}
	return column
}

// Text reads what AppendText has appended.
func (r *Reader) Text() string { return string(r.Bytes(r.Count(1))) }

// Texts reads n texts that AppendTexts has appended. They share memory.
func (r *Reader) Texts(n int) []string {
	if n == 0 || n > len(r.rest) {
		r.Check(n == 0)
		r.Check(r.Uvarint() == 0)
		return nil
	}
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = r.Count(1)
	}
	all := r.Text()
	texts := make([]string, n)
	for i, length := range lengths {
		if length > len(all) {
			r.Fail()
			return nil
		}
		texts[i], all = all[:length], all[length:]
	}
	r.Check(all == "")
	if r.damaged {
		return nil
	}
	return texts
}
