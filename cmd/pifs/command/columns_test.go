package command

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListFitsTheTerminal(t *testing.T) {
	rows := []listRow{
		{short: "019a48c5", Name: strings.Repeat("title ", 20), Cwd: "/home/ada/" + strings.Repeat("long-", 20) + "end"},
		{short: "019a48c6", Name: "ü", Cwd: "/x"},
	}
	for _, width := range []int{72, 80, 100, 150, 300} {
		var b strings.Builder
		require.NoError(t, writeList(&b, rows, width))
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
		}
		assert.Contains(t, b.String(), "-end\n", "of a directory the end is shown")
		assert.Contains(t, b.String(), "title t")
	}
	var b strings.Builder
	require.NoError(t, writeList(&b, rows, 0))
	assert.Contains(t, b.String(), rows[0].Cwd, "in a pipe it is whole")
	require.NoError(t, writeList(&b, rows, 1), "the narrowest terminal")
	assert.Equal(t, 0, terminalWidth(&b))
}
