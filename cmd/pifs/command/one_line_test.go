package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"short", "short"},
		{" two\nlines\tand  tabs ", "two lines and…"},
		{"esc \x1b[31m", "esc \uFFFD[31m"},
		{"bidi \u202e", "bidi \uFFFD"},
		{"bad \xff", "bad \uFFFD"},
		{"日本語日本語日本語日本語日本語", "日本語日本語日本語日本語日…"},
		{strings.Repeat("x", 1<<20), "xxxxxxxxxxxxx…"},
	} {
		assert.Equal(t, tt.want, oneLine(tt.text, 14), "%.40q", tt.text)
	}
}
