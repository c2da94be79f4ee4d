package model

import "encoding/binary"

// blockSize is how many bytes of a line are searched at once.
const blockSize = 64

// specials returns a bit for each byte of block that ends a run of plain text in
// a JSON string: quotes, backslashes and control characters, which must not
// stand there. Strings are most of a session file; to go from one such byte to
// the next in a word of bits is about twice as fast as to look at each byte.
func specials(block *[blockSize]byte) uint64 {
	return ^(plain8(block[0:8]) |
		plain8(block[8:16])<<8 |
		plain8(block[16:24])<<16 |
		plain8(block[24:32])<<24 |
		plain8(block[32:40])<<32 |
		plain8(block[40:48])<<40 |
		plain8(block[48:56])<<48 |
		plain8(block[56:64])<<56)
}

// plain8 returns a bit for each of eight bytes that is none of these, all of them
// handled at once, each in its lane of a word. With the high bit of each lane set
// aside no sum carries into the next one. A lane's high bit is then set by adding
// 0x7F to what is not zero, which tells the backslash, and by adding 0x5F to what
// is 0x21 or more: exclusive-or with 2 puts the quote, 0x22, beside the control
// characters, and the space, 0x20, out of their way. Bytes of other characters
// than ASCII have it from the start.
func plain8(lanes []byte) uint64 {
	const (
		each = 0x0101010101010101
		high = 0x80 * each
		low  = 0x7F * each
		// gather brings the high bit of each lane into the highest one, in order.
		gather = 0x0002040810204081
	)
	word := binary.LittleEndian.Uint64(lanes)
	ascii := word & low
	plain := ((ascii^0x02*each)+0x5F*each)&((ascii^'\\'*each)+low) | word
	return (plain & high) * gather >> 56
}
