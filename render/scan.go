package render

import (
	"encoding/binary"
	"math/bits"
)

// cleanRun returns how many bytes at the beginning of text are printable ASCII
// but backslashes.
func cleanRun(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if stops := stopBytes(binary.LittleEndian.Uint64(text[i:])); stops != 0 {
			return i + bits.TrailingZeros64(stops)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c < 0x20 || c == '\\' || c >= 0x7F {
			return i
		}
	}
	return i
}

// stopBytes sets the highest bit of each byte of word that is below 0x20, a
// backslash, or 0x7F and above. A bit above the lowest one set may be wrong, by
// the borrow of the subtractions.
func stopBytes(word uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	slash := word ^ '\\'*ones
	return ((word-0x20*ones)&^word | (slash-ones)&^slash | (word + ones) | word) & highs
}
