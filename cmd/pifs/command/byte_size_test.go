package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{
		"1": 1, "4096": 4096, "64M": 64 << 20, "64m": 64 << 20, "64MiB": 64 << 20, "64MB": 64 << 20,
		"1G": 1 << 30, "5K": 5 << 10, "3000000000": 3000000000,
	} {
		var b byteSize
		assert.NoError(t, b.Set(text), text)
		assert.Equal(t, want, b, text)
		var again byteSize
		assert.NoError(t, again.Set(b.String()), text)
		assert.Equal(t, b, again, text)
	}
	for _, text := range []string{"", "M", "-1", "0", "64T", "1.5G", "9999999999G", "64 M", "i", "IB"} {
		var b byteSize
		assert.Error(t, b.Set(text), text)
	}
}
