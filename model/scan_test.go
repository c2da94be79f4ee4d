package model

import (
	"encoding/json"
	"os"
	"strings"
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

func TestScan(t *testing.T) {
	const at = 1735689600000
	for line, want := range map[string]Fields{
		`{"type":"message","id":"a","parentId":null,"timestamp":"2025-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"hi"}],"timestamp":5}}`: {
			Kind: KindUser, ID: "a", HasID: true, Time: at, Activity: 5},
		`{"type":"message","id":"","parentId":"","timestamp":"2025-01-01","message":{"role":"assistant","content":null,"timestamp":"5"}}`: {
			Kind: KindAssistant, HasID: true, HasParent: true, Time: at, Activity: at},
		`{"type":"message","id":12.0,"parentId":{"b": 1},"timestamp":"2025-01-01","message":{"role":"assistant","timestamp":5}}`: {
			Kind: KindAssistant, ID: "12", HasID: true, ParentID: `{"b":1}`, HasParent: true, Time: at, Activity: NoTime},
		`{"type":"message","id":"t","message":{"role":"toolResult","content":[{"type":"image"}],"timestamp":5}}`: {
			Kind: KindToolResult, ID: "t", HasID: true, Time: NoTime, Activity: NoTime, Images: true},
		`{"type":"message","message":{"role":"user","content":"text","timestamp":1e99}}`: {
			Kind: KindUser, Time: NoTime, Activity: NoTime},
		`{"type":"label","targetId":"x","label":"L","name":"N","firstKeptEntryId":"k"}`: {
			Kind: KindLabel, Time: NoTime, Activity: NoTime, TargetID: "x", HasTarget: true, Text: "L"},
		`{"type":"session_info","targetId":"x","label":"L","name":"N\n"}`: {
			Kind: KindSessionInfo, Time: NoTime, Activity: NoTime, Text: "N\n"},
		`{"type":"session_info","name":5}`: {Kind: KindSessionInfo, Time: NoTime, Activity: NoTime},
		`{"type":"leaf","targetId":null}`:  {Kind: KindLeaf, Time: NoTime, Activity: NoTime},
		`{"type":"context_edit","targetId":"x","replacement":{"content":"an image"}}`: {
			Kind: KindContextEdit, Time: NoTime, Activity: NoTime, TargetID: "x", HasTarget: true},
		`{"type":"compaction","targetId":"x","firstKeptEntryId":"k","firstKeptEntryIndex":4,"retainedTail":[]}`: {
			Kind: KindCompaction, Time: NoTime, Activity: NoTime, TargetID: "k", HasTarget: true, FirstKeptIndex: 4, Retained: true},
		`{"type":"compaction","firstKeptEntryIndex":-1,"retainedTail":null}`: {Kind: KindCompaction, Time: NoTime, Activity: NoTime, FirstKeptIndex: -1},
		`{"type":"compaction","firstKeptEntryIndex":1.5}`:                    {Kind: KindCompaction, Time: NoTime, Activity: NoTime, FirstKeptIndex: -1},
		`{"type":"custom","data":{"id":"decoy"},"id":"bad \ud800 \u00ff"}`:   {Kind: KindCustom, ID: "bad \ufffd \u00ff", HasID: true, Time: NoTime, Activity: NoTime},
		"{\"type\":\"\xe2\x82\",\"id\":\"\xff\",\"timestamp\":null}":         {Kind: KindUnknown, Word: "\ufffd", ID: "\ufffd", HasID: true, Time: 0, Activity: NoTime},
		`{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z"}`: {Kind: KindSession, ID: "s", HasID: true, Time: at, Activity: NoTime},
	} {
		if want.Kind != KindCompaction {
			want.FirstKeptIndex = -1
		}
		got, ok := Scan([]byte(line))
		assert.True(t, ok, line)
		assert.Equal(t, want, got, line)
	}
	for _, line := range []string{"", " ", "null", "5", `"x"`, "[{}]", "{", `{"type":"message"}}`} {
		got, ok := Scan([]byte(line))
		assert.False(t, ok, line)
		assert.Zero(t, got)
	}
}

// TestScanKeepsNothing sees that the strings of Fields are copies.
func TestScanKeepsNothing(t *testing.T) {
	line := []byte(`{"type":"label","id":"a","parentId":"b","targetId":"c","label":"d"}`)
	alien := []byte(`{"type":"alien"}`)
	f, _ := Scan(line)
	g, _ := Scan(alien)
	clear(line)
	clear(alien)
	assert.Equal(t, "abcd", f.ID+f.ParentID+f.TargetID+f.Text)
	assert.Equal(t, "alien", g.Word)
}

// TestScanForgets holds that what a line lacks is not taken from the line before.
func TestScanForgets(t *testing.T) {
	with := []byte(`{"type":"message","id":"a","message":{"role":"user","content":[{"type":"text","text":"x"}],"timestamp":1}}`)
	without := []byte(`{"type":"message","id":"a","message":{"role":"user","timestamp":1}}`)
	for range 3 {
		f, ok := Scan(with)
		require.True(t, ok)
		assert.EqualValues(t, 1, f.Activity)
		f, ok = Scan(without)
		require.True(t, ok)
		assert.EqualValues(t, NoTime, f.Activity)
	}
}

// usualLines are lines as pi writes them.
var usualLines = []string{
	`{"type":"message","id":"8a16ac06","parentId":"1b2c3d4e","timestamp":"2025-12-09T00:53:29.825Z","message":{"role":"user","content":[{"type":"text","text":"Say \"hi\"\n"}],"timestamp":1765241609825}}`,
	`{"type":"message","id":"8a16ac06","parentId":"1b2c3d4e","timestamp":"2025-12-09T00:53:29.825Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"a\tb","thinkingSignature":"c"},{"type":"toolCall","id":"t","name":"bash","arguments":{"command":"echo \u001b"}}],"api":"x","provider":"y","model":"z","usage":{"input":1,"output":2,"cost":{"total":0.1}},"stopReason":"toolUse","timestamp":1765241609825}}`,
	`{"type":"message","id":"8a16ac06","parentId":"1b2c3d4e","timestamp":"2025-12-09T00:53:29.825Z","message":{"role":"toolResult","toolCallId":"t","toolName":"bash","content":[{"type":"text","text":"\u001b[0m"}],"details":{"diff":"\u001b"},"isError":false,"timestamp":1765241609825}}`,
	`{"type":"custom","customType":"x","data":{"a":["\u001b"]},"id":"8a16ac06","parentId":"1b2c3d4e","timestamp":"2025-12-09T00:53:29.825Z"}`,
}

// TestScanAllocates counts what a line costs.
func TestScanAllocates(t *testing.T) {
	for _, text := range usualLines {
		line := []byte(text)
		allocations := testing.AllocsPerRun(100, func() { Scan(line) })
		assert.LessOrEqual(t, allocations, 2.0, "the two ids: %s", text)
	}
}

func BenchmarkScan(b *testing.B) {
	for _, text := range usualLines {
		line := []byte(strings.Replace(text, `"text":"`, `"text":"`+strings.Repeat(`It said \"no\".\n`, 100), 1))
		f, _ := Scan(line)
		b.Run(f.Kind.String(), func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				Scan(line)
			}
		})
	}
}

// scanSlowly is Scan over encoding/json's idea of JSON, and the walker's.
func scanSlowly(line []byte) (f Fields, ok bool) {
	line = Clean(line)
	v := Value(line)
	if !json.Valid(line) || v.Kind() != Object {
		return Fields{}, false
	}
	message := v.Get("message")
	content := message.Get("content")
	m := members{
		typ: v.Get("type"), id: v.Get("id"), parentID: v.Get("parentId"), timestamp: v.Get("timestamp"),
		role: message.Get("role"), messageTimestamp: message.Get("timestamp"),
		targetID: v.Get("targetId"), label: v.Get("label"), name: v.Get("name"),
		firstKeptEntryID: v.Get("firstKeptEntryId"), firstKeptIndex: v.Get("firstKeptEntryIndex"), retainedTail: v.Get("retainedTail"),
		hasContent: content != nil,
	}
	for block := range content.Elements() {
		m.hasImage = m.hasImage || block.Get("type").Text() == "image"
	}
	return m.fields(line), true
}

// FuzzScan holds Scan against encoding/json.
func FuzzScan(f *testing.F) {
	for _, line := range jsonLines(f) {
		f.Add(line.B64)
	}
	for _, line := range usualLines {
		f.Add([]byte(line))
	}
	for _, line := range []string{
		`{"a":"\x","b":"0\b0 and more than a vector of text, after which some libraries forget"}`,
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
		if len(line) > 10_000 {
			t.Skip("may be deeper than encoding/json goes")
		}
		want, wantOk := scanSlowly(line)
		got, gotOk := Scan(line)
		require.Equal(t, wantOk, gotOk)
		require.Equal(t, want, got)
	})
}
