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

func jsonLines(t testing.TB) []jsonLine {
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

// scanSlowly is Scan without sonic.
func scanSlowly(line []byte) (f Fields, ok bool) {
	line = Clean(line)
	m, ok := scanExact(line)
	if !ok {
		return Fields{}, false
	}
	return m.fields(line), true
}

// FuzzScan holds the fast path of Scan against the exact one.
func FuzzScan(f *testing.F) {
	for _, line := range jsonLines(f) {
		f.Add(line.B64)
	}
	for _, line := range []string{
		`{"type":"message","message":{"role":"user","role":null,"content":[],"timestamp":1,"timestamp":null}}`,
		`{"type":"message","message":{"role":"user","content":[]},"message":{}}`,
		`{"type":"message","message":{"role":"user","content":[]},"message":null}`,
		`{"type":"message","message":{"role":"user","content":[{"type":"image"}],"content":[{}]}}`,
		`{"type":"message","message":{"role":"user","content":[{"type":"im\u0061ge"}]}}`,
		`{"type":"message","message":{"role":"user","content":"text"},"timestamp":"2026-01-01"}`,
		`{"type":"message","message":{"role":"assistant","content":null},"timestamp":"2026-01-01"}`,
		`{"type":"message","message":{"role":"user","content":[null,5]}}`,
		`{"type":"compaction","firstKeptEntryId":"a","firstKeptEntryIndex":4,"retainedTail":[{"content":[{"type":"image"}]}]}`,
		`{"type":"compaction","firstKeptEntryIndex":1e300,"retainedTail":""}`,
		`{"type":"context_edit","targetId":3,"replacement":{"content":[{"type":"image"}]}}`,
		`{"type":null,"id":null,"parentId":"","timestamp":null}`,
		`null`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		want, wantOk := scanSlowly(line)
		got, gotOk := Scan(line)
		require.Equal(t, wantOk, gotOk)
		if got.Images { // They may be there, no more is said.
			want.Images = true
		}
		require.Equal(t, want, got)
	})
}
