package model

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jsonLine is a line of testdata/json-lines.json: what Node.js makes of it.
type jsonLine struct {
	Name string
	B64  []byte            // the line
	Ok   bool              // JSON.parse takes it
	Want map[string]string // string members, "" where they are no strings
}

func jsonLines(t *testing.T) []jsonLine {
	text, err := os.ReadFile("../testdata/json-lines.json")
	require.NoError(t, err)
	var lines []jsonLine
	require.NoError(t, json.Unmarshal(text, &lines))
	require.NotEmpty(t, lines)
	return lines
}

func TestOddLines(t *testing.T) {
	for _, line := range jsonLines(t) {
		t.Run(line.Name, func(t *testing.T) {
			assert.Equal(t, line.Ok, Valid(Clean(line.B64)), "Valid")
			_, ok := Scan(line.B64)
			isObject := line.Ok && Value(line.B64).Kind() == Object
			assert.Equal(t, isObject, ok, "Scan")
			if !isObject {
				return
			}
			v := Value(line.B64)
			for key, want := range line.Want {
				got := v.Get(key).Text()
				if key == "role" {
					got = v.Get("message").Get("role").Text()
				}
				assert.Equal(t, want, got, key)
			}
		})
	}
}
