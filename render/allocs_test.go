// Under the race detector sync.Pool drops values at random, so nothing can be counted.

//go:build !race

package render

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/model"
)

// TestEntryAllocates counts what rendering costs beside the text itself.
func TestEntryAllocates(t *testing.T) {
	for _, line := range generatedLines()[:3] {
		e := model.DecodeEntry(line)
		p := placed(e)
		allocations := testing.AllocsPerRun(100, func() { Entry(e, p) })
		assert.LessOrEqual(t, allocations, 1.0, "the text: %.100s", line)
	}
}
