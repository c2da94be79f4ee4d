package model

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `""`,
		"a\"b\\c/":               `"a\"b\\c/"`,
		"\b\f\n\r\t\x00\x1b\x1f": `"\b\f\n\r\t\u0000\u001b\u001f"`,
		"\x7f<>&\u2028\u2029é😀":  "\"\x7f<>&\u2028\u2029é😀\"",
		"bad \xff\xe2\x82":       "\"bad \ufffd\ufffd\"",
	} {
		assert.Equal(t, want, string(AppendString(nil, text)))
	}
}

func TestBuilder(t *testing.T) {
	var b Builder
	object := b.Value("raw", Value(`[ 1 ]`)).Value("undefined", nil).Text("te\"xt", "a\n").
		Float("n", 1.5).Float("nan", math.NaN()).Bool("yes", true).Object()
	assert.Equal(t, `{"raw":[ 1 ],"te\"xt":"a\n","n":1.5,"nan":null,"yes":true}`, string(object))
	assert.Equal(t, `{}`, string(new(Builder).Object()))
	assert.Equal(t, `{}`, string(new(Builder).Value("undefined", nil).Object()))
}

func TestNumbersAsJavaScriptSpellsThem(t *testing.T) {
	for want, n := range map[string]float64{
		"0": math.Copysign(0, -1), "1": 1, "-1.5": -1.5, "1e+21": 1e21, "123456789012345680000": 123456789012345678901,
		"1e-7": 1e-7, "0.000001": 1e-6, "1.7976931348623157e+308": math.MaxFloat64, "5e-324": 5e-324, "-1.25e-10": -1.25e-10,
		"null": math.Inf(-1), "1765241609825": 1765241609825, "0.1": 0.1,
	} {
		assert.Equal(t, want, string(appendNumber(nil, n)))
	}
}

// TestEncodingAsNode holds strings and numbers against the real JSON.stringify.
func TestEncodingAsNode(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var values []any
	for range 5000 {
		if n := math.Float64frombits(random.Uint64()); !math.IsNaN(n) && !math.IsInf(n, 0) {
			values = append(values, n)
		}
		values = append(values, float64(random.Intn(1<<30))*math.Pow10(random.Intn(60)-30))
		text := make([]rune, random.Intn(5))
		for i := range text {
			text[i] = rune(random.Intn(0x2100))
		}
		values = append(values, string(text))
	}
	var want []string
	node(t, "UTC", `process.stdout.write(JSON.stringify(input.map(v => JSON.stringify(v))))`, values, &want)
	require.Len(t, want, len(values))
	for i, value := range values {
		switch value := value.(type) {
		case float64:
			assert.Equal(t, want[i], string(appendNumber(nil, value)))
		case string:
			assert.Equal(t, want[i], string(AppendString(nil, value)))
		}
	}
}

func TestWith(t *testing.T) {
	for _, c := range []struct{ object, key, value, want string }{
		{`{}`, "a", `1`, `{"a":1}`},
		{`{"a":1}`, "a", `{ }`, `{"a":{ }}`},
		{`{"a":1,"b":"\u0041"}`, "c", `2`, `{"a":1,"b":"\u0041","c":2}`},
		{`{"a":1,"b":1.0,"c":3}`, "b", `"x"`, `{"a":1,"b":"x","c":3}`},
		{`{"a":1,"b":2,"a":3,"c":4}`, "a", `5`, `{"a":5,"b":2,"c":4}`},
		{`{"a":1,"b":2,"a":3}`, "a", ``, `{"b":2}`},
		{`{"a":1}`, "a", ``, `{}`},
		{`{"a":1}`, "b", ``, `{"a":1}`},
		{`{"\u0061":1}`, "a", `2`, `{"\u0061":2}`},
		{`[1]`, "a", `2`, `[1]`},
	} {
		var value Value
		if c.value != "" {
			value = Value(c.value)
		}
		before := strings.Clone(c.object)
		assert.Equal(t, c.want, string(Value(c.object).With(c.key, value)), "%s with %s", c.object, c.key)
		assert.Equal(t, before, c.object, "unchanged")
	}
}

// FuzzAppendString holds AppendString against encoding/json.
func FuzzAppendString(f *testing.F) {
	f.Add("")
	f.Add("a\"b\\c\x00\x1f\x7f\u2028é😀\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := AppendString(nil, text)
		var back string
		require.NoError(t, json.Unmarshal(got, &back))
		require.Equal(t, string(Clean([]byte(text))), back)
		require.Equal(t, back, Value(got).Text())
		if utf8.ValidString(text) {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			require.NoError(t, e.Encode(text))
			spelled := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(want.String())
			if !strings.Contains(text, `\`) { // Else the replacer may hit an escaped backslash.
				require.Equal(t, spelled, string(got)+"\n")
			}
		}
	})
}

// FuzzWith holds With against a map.
func FuzzWith(f *testing.F) {
	for _, line := range jsonLines(f) {
		if line.Ok && len(line.B64) < 2000 {
			f.Add(line.B64, "id")
		}
	}
	f.Add([]byte(`{"a":1,"b":2,"a":3}`), "a")
	f.Fuzz(func(t *testing.T, line []byte, key string) {
		line, key = Clean(line), string(Clean([]byte(key)))
		v := Value(line)
		if !Valid(line) || v.Kind() != Object {
			return
		}
		want := decoded(v).(map[string]any)
		want[key] = "new"
		require.Equal(t, want, decoded(v.With(key, Value(`"new"`))))
		delete(want, key)
		without := v.With(key, nil)
		require.True(t, Valid(without))
		require.Equal(t, want, decoded(without))
	})
}
