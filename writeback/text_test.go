package writeback_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/writeback"
)

func TestCheckLabel(t *testing.T) {
	for _, row := range []struct {
		label string
		err   error
	}{
		{"works", nil},
		{" spaced ", nil},
		{"", nil},
		{" ", writeback.ErrText},
		{"\t\n\u00a0\u2028", writeback.ErrText},
		{"bad \xff", writeback.ErrText},
		{strings.Repeat("x", writeback.MaxText), nil},
		{strings.Repeat("x", writeback.MaxText+1), writeback.ErrTooLong},
	} {
		assert.ErrorIs(t, writeback.CheckLabel(row.label), row.err, "%.20q", row.label)
	}
}
