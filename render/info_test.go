package render

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/model"
)

func TestInfoGolden(t *testing.T) {
	s := forked(t)
	own := model.Usage{Input: 1, Output: 2, Cost: 0.1}
	info := Info{
		Header:   model.Value(`{"type":"session","version":3,"id":"x","n":1.0}`),
		File:     "/store/\xff.jsonl",
		Name:     "A name",
		Title:    "A name",
		Created:  0,
		Modified: 1765241609825,
		Version:  3,
		Tree:     s.tree,
		Totals:   model.Usage{Input: 1e21, Output: 20, CacheRead: 30, CacheWrite: 40, Cost: 1e-7},
		Own:      &own,
		Models:   map[string]model.Usage{"openai/gpt": {Input: 1}, "": {Cost: 0.25}},
		Warnings: []Warning{{Line: 18, Code: "no-id", Message: "no id"}, {Code: "bom", Message: "a \"BOM\""}},
	}
	text := info.Append(nil)
	assert.True(t, json.Valid(text))
	golden(t, "info.json", text)

	bare := Info{Created: model.NoTime, Modified: model.NoTime, ReadOnly: "version 4", Tree: newSession(t).tree}
	text = bare.Append(nil)
	assert.True(t, json.Valid(text))
	golden(t, "info-bare.json", text)
}
