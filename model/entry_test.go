package model

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jsonKey returns the key of a field: its name with a small first word, but for
// the few that differ.
func jsonKey(field string) string {
	switch field {
	case "UsageKind":
		return "kind"
	case "API":
		return "api"
	case "ID":
		return "id"
	}
	field = strings.Replace(field, "ID", "Id", 1)
	return strings.ToLower(field[:1]) + field[1:]
}

// testFields decodes an object that has each of the keys twice, and some that
// look alike, and sees that every Value field has the last.
func testFields(t *testing.T, decode func(Value) any) {
	names := valueFields(decode(nil))
	require.NotEmpty(t, names)
	var b Builder
	for _, name := range names {
		b.Text(jsonKey(name), "first")
	}
	for _, name := range names {
		b.Text(jsonKey(name), "last "+name).Text(strings.ToUpper(jsonKey(name)), "other").Text(jsonKey(name)+"_", "other")
	}
	object := b.Object()
	decoded := reflect.ValueOf(decode(object))
	for _, name := range names {
		assert.Equal(t, "last "+name, decoded.FieldByName(name).Interface().(Value).Text(), name)
	}
	assert.Equal(t, object, decoded.FieldByName("Raw").Interface())

	empty := reflect.ValueOf(decode(Value("[5]")))
	for _, name := range names {
		assert.Nil(t, empty.FieldByName(name).Interface(), name)
	}
}

// valueFields returns the names of a struct's Value fields but Raw.
func valueFields(v any) []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if field.Type == reflect.TypeFor[Value]() && field.Name != "Raw" {
			names = append(names, field.Name)
		}
	}
	return names
}

func TestDecodeHeader(t *testing.T) {
	testFields(t, func(v Value) any { return DecodeHeader(v) })
}

func TestIsHeader(t *testing.T) {
	for text, want := range map[string]bool{
		`{"type":"session","id":"x"}`:          true,
		`{"type":"se\u0073sion","id":""}`:      true,
		`{"type":"session","id":5}`:            false,
		`{"type":"session"}`:                   false,
		`{"type":"title","id":"x"}`:            false,
		`{"id":"x","type":"session","type":1}`: false,
		`["session"]`:                          false,
		`"session"`:                            false,
	} {
		assert.Equal(t, want, IsHeader(Value(text)), text)
	}
}

func TestDecodeEntry(t *testing.T) {
	testFields(t, func(v Value) any { return DecodeEntry(v) })
}

func TestDecodeMessage(t *testing.T) {
	testFields(t, func(v Value) any { return DecodeMessage(v) })
	assert.Equal(t, "user", DecodeMessage(Value(`{"role":"x","role":"user"}`)).Role)
	assert.Empty(t, DecodeMessage(Value(`{"role":5}`)).Role)
	assert.Equal(t, Message{}, DecodeMessage(Value(`[5]`)))
}

func TestDecodeBlock(t *testing.T) {
	testFields(t, func(v Value) any { return DecodeBlock(v) })
	assert.Equal(t, "text", DecodeBlock(Value(`{"type":"text"}`)).Type)
}

func TestBlocks(t *testing.T) {
	blocks := func(content string) (list []string) {
		for b := range Blocks(Value(content)) {
			list = append(list, b.Type+":"+b.Text.Text()+":"+string(b.Raw))
		}
		return list
	}
	assert.Empty(t, blocks(""))
	assert.Empty(t, blocks("null"))
	assert.Empty(t, blocks("[]"))
	assert.Equal(t, []string{`text:hi:"hi"`}, blocks(`"hi"`))
	assert.Equal(t, []string{`:` + `:5`}, blocks(`5`))
	assert.Equal(t, []string{`::{"type":"text","text":"x"}`}, blocks(`{"type":"text","text":"x"}`), "not an array")
	assert.Equal(t, []string{`text:x:{"type":"text","text":"x"}`, `::null`, `::"y"`}, blocks(`[{"type":"text","text":"x"},null,"y"]`))
	for range Blocks(Value(`[{},{}]`)) {
		break
	}
}

func TestKinds(t *testing.T) {
	for k := KindUnknown; int(k) < len(kindWords); k++ {
		line := `{"type":"` + k.String() + `"}`
		if k.IsMessage() {
			line = `{"type":"message","message":{"role":"` + k.String() + `"}}`
		}
		f, ok := Scan([]byte(line))
		require.True(t, ok)
		assert.Equal(t, k, DecodeEntry(Value(line)).Kind, line)
		assert.Equal(t, k, f.Kind, line)
		if k == KindMessageOther {
			assert.Equal(t, "message", f.Word)
		} else {
			assert.Empty(t, f.Word)
		}
	}
	assert.Empty(t, Kind(200).String())
	for line, want := range map[string]Fields{
		`{}`:                      {Kind: KindUnknown},
		`{"type":5}`:              {Kind: KindUnknown},
		`{"type":"alien"}`:        {Kind: KindUnknown, Word: "alien"},
		`{"type":"a\nb"}`:         {Kind: KindUnknown, Word: "a\nb"},
		`{"type":"user"}`:         {Kind: KindUnknown, Word: "user"},
		`{"type":"mess\u0061ge"}`: {Kind: KindMessageOther},
		`{"type":"message"}`:      {Kind: KindMessageOther},
		`{"type":"message","message":{"role":"hookMessage"}}`: {Kind: KindMessageOther, Word: "hookMessage"},
		`{"type":"message","message":{"role":"label"}}`:       {Kind: KindMessageOther, Word: "label"},
		`{"type":"message","message":{"role":null}}`:          {Kind: KindMessageOther},
		`{"type":"message","message":["user"]}`:               {Kind: KindMessageOther},
		`{"type":"message","role":"user"}`:                    {Kind: KindMessageOther},
	} {
		f, ok := Scan([]byte(line))
		require.True(t, ok)
		assert.Equal(t, want.Kind, f.Kind, line)
		assert.Equal(t, want.Word, f.Word, line)
		assert.Equal(t, want.Kind, DecodeEntry(Value(line)).Kind, line)
	}
}

func TestUsage(t *testing.T) {
	u, ok := DecodeUsage(Value(`{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":99,"cost":{"input":9,"total":0.5}}`))
	assert.True(t, ok)
	assert.Equal(t, Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Cost: 0.5}, u)
	assert.EqualValues(t, 10, u.Tokens())
	u.Add(u)
	assert.Equal(t, Usage{Input: 2, Output: 4, CacheRead: 6, CacheWrite: 8, Cost: 1}, u)

	u, ok = DecodeUsage(Value(`{"input":"1","output":null,"cost":5}`))
	assert.True(t, ok)
	assert.Zero(t, u)
	_, ok = DecodeUsage(Value(`null`))
	assert.False(t, ok)
}

func TestEntryUsage(t *testing.T) {
	for line, want := range map[string]bool{
		`{"type":"message","message":{"role":"assistant","usage":{"input":7}}}`:  true,
		`{"type":"message","message":{"role":"toolResult","usage":{"input":7}}}`: true,
		`{"type":"message","message":{"role":"user","usage":{"input":7}}}`:       false,
		`{"type":"message","message":{"role":"assistant"},"usage":{"input":7}}`:  false,
		`{"type":"compaction","usage":{"input":7}}`:                              true,
		`{"type":"branch_summary","usage":{"input":7}}`:                          true,
		`{"type":"usage","usage":{"input":7}}`:                                   true,
		`{"type":"custom","usage":{"input":7}}`:                                  false,
	} {
		u, ok := EntryUsage(DecodeEntry(Value(line)))
		assert.Equal(t, want, ok, line)
		if want {
			assert.EqualValues(t, 7, u.Tokens(), line)
		}
	}
}
