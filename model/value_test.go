package model

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValueKind(t *testing.T) {
	for text, want := range map[string]ValueKind{
		"": Undefined, "null": Null, "true": Bool, "false": Bool, "-1.5e3": Number,
		`"x"`: String, "[1]": Array, " \t{}": Object,
	} {
		assert.Equal(t, want, Value(text).Kind(), text)
	}
	assert.Equal(t, Undefined, Value(nil).Kind())
}

func TestValueGet(t *testing.T) {
	v := Value(` { "a" : 1 , "b\u0063" : [ "x" , { } ] , "a" : { "a" : null } , "\"}" : "]" } `)
	assert.Equal(t, `{ "a" : null }`, string(v.Get("a")), "the last one")
	assert.Equal(t, `[ "x" , { } ]`, string(v.Get("bc")))
	assert.Equal(t, `"]"`, string(v.Get(`"}`)))
	assert.Nil(t, v.Get("A"))
	assert.Nil(t, v.Get("a").Get("b"))
	assert.Nil(t, Value(`[{"a":1}]`).Get("a"))
	assert.Nil(t, Value(nil).Get("a"))

	var elements []string
	for e := range v.Get("bc").Elements() {
		elements = append(elements, string(e))
	}
	assert.Equal(t, []string{`"x"`, "{ }"}, elements)
}

func TestValueIteratorsStop(t *testing.T) {
	for range Value(`[1,2]`).Elements() {
		break
	}
	for range Value(`{"a":1,"b":2}`).Members() {
		break
	}
}

func TestValueText(t *testing.T) {
	for stored, want := range map[string]string{
		`""`:                             "",
		`"a"`:                            "a",
		` "a" `:                          "a",
		`"\"\\\/\b\f\n\r\t"`:             "\"\\/\b\f\n\r\t",
		`"\u00e9\u20AC"`:                 "é€",
		`"\ud83d\ude00"`:                 "😀",
		`"\ud83d"`:                       "\ufffd",
		`"\ude00"`:                       "\ufffd",
		`"\ud83dx"`:                      "\ufffdx",
		`"\ud83d\n"`:                     "\ufffd\n",
		`"\ud83d\ud83d\ude00"`:           "\ufffd😀",
		`"\ud83d\u0041"`:                 "\ufffdA",
		`"\u0000\u2028"`:                 "\x00\u2028",
		"\"bytes \xff \xe2\x82 \"":       "bytes \ufffd \ufffd ",
		"\"bytes \\n \xff \xe2\x82\\n\"": "bytes \n \ufffd \ufffd\n",
		`5`:                              "",
		`null`:                           "",
		`["a"]`:                          "",
		``:                               "",
	} {
		assert.Equal(t, want, Value(stored).Text(), stored)
		assert.Equal(t, "> "+want, string(Value(stored).AppendText([]byte("> "))), stored)
	}
}

func TestValueFloat(t *testing.T) {
	for stored, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "12": 12, "123456789012345678901234567890": 123456789012345678901234567890,
		"0.1": 0.1, "1e3": 1000, "1e999": math.Inf(1), "-1e999": math.Inf(-1), "1e-999": 0, " 7 ": 7,
	} {
		n, ok := Value(stored).Float()
		assert.True(t, ok, stored)
		assert.Equal(t, want, n, stored)
	}
	for _, stored := range []string{"", `"5"`, "null", "true", "[5]"} {
		_, ok := Value(stored).Float()
		assert.False(t, ok, stored)
	}
}

func TestValueTruthy(t *testing.T) {
	for _, stored := range []string{"true", "1", "-1e-300", `" "`, `"\u0000"`, "[]", "{}"} {
		assert.True(t, Value(stored).Truthy(), stored)
	}
	for _, stored := range []string{"", "null", "false", "0", "-0", "0.0e9", "1e-999", `""`, ` "" `} {
		assert.False(t, Value(stored).Truthy(), stored)
	}
}

func TestAppendIndented(t *testing.T) {
	for stored, want := range map[string]string{
		``:                    "",
		`5`:                   "5",
		`[ ]`:                 "[]",
		`{ "a" : { } }`:       "{\n  \"a\": {}\n}",
		`[1.0,"\u0041: {,}"]`: "[\n  1.0,\n  \"\\u0041: {,}\"\n]",
		`{"a":[1,{"b":null}],"c":true}`: `{
  "a": [
    1,
    {
      "b": null
    }
  ],
  "c": true
}`,
	} {
		assert.Equal(t, want, string(Value(stored).AppendIndented(nil)), stored)
	}
	deep := strings.Repeat("[", 100) + "1 , 2" + strings.Repeat("]", 100)
	text := string(Value(deep).AppendIndented(nil))
	assert.Contains(t, text, "\n"+strings.Repeat("  ", indentLevels)+strings.Repeat("[", 36)+"1,2"+strings.Repeat("]", 36)+"\n")
}

// FuzzValue holds the walker against encoding/json.
func FuzzValue(f *testing.F) {
	for _, line := range jsonLines(f) {
		if line.Ok && len(line.B64) < 2000 {
			f.Add(line.B64)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		walk(line) // Nothing may make it panic or hang.
		line = Clean(line)
		var want any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if !json.Valid(line) || d.Decode(&want) != nil {
			return
		}
		require.Equal(t, want, decoded(line))

		var compact, indented bytes.Buffer
		require.NoError(t, json.Compact(&compact, line))
		require.Equal(t, compact.String(), string(Value(line).AppendCompact(nil)))
		if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) < indentLevels {
			require.NoError(t, json.Indent(&indented, compact.Bytes(), "", "  "))
			require.Equal(t, indented.String(), string(Value(line).AppendIndented(nil)))
		}
	})
}

// walk calls every method on v and what is in it.
func walk(v Value) {
	v.Text()
	v.Float()
	v.Truthy()
	v.AppendCompact(nil)
	v.AppendIndented(nil)
	v.With("a", Value("1"))
	ParseTime(v)
	DecodeEntry(v)
	for key, member := range v.Members() {
		key.Text()
		member.Kind()
	}
	for element := range v.Elements() {
		element.Kind()
	}
}

// decoded returns v as encoding/json decodes it.
func decoded(v Value) any {
	switch v.Kind() {
	case Object:
		object := map[string]any{}
		for key, member := range v.Members() {
			object[key.Text()] = decoded(member)
		}
		return object
	case Array:
		array := []any{}
		for element := range v.Elements() {
			array = append(array, decoded(element))
		}
		return array
	case String:
		return v.Text()
	case Number:
		return json.Number(bytes.TrimSpace(v))
	case Bool:
		return v.Truthy()
	}
	return nil
}
