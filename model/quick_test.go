package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// TestScanForgets holds that what a line lacks is not taken from the line before.
func TestScanForgets(t *testing.T) {
	with := []byte(`{"type":"message","id":"a","message":{"role":"user","content":[{"type":"text","text":"x"}],"timestamp":1}}`)
	without := []byte(`{"type":"message","id":"a","message":{"role":"user","timestamp":1}}`)
	for range 3 {
		f, ok := model.Scan(with)
		require.True(t, ok)
		assert.EqualValues(t, 1, f.Activity)
		f, ok = model.Scan(without)
		require.True(t, ok)
		assert.EqualValues(t, model.NoTime, f.Activity)
	}
}
