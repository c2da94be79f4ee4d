package model

import (
	"encoding/base64"
	"encoding/json"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"plain é 😀 \ufffd":         "plain é 😀 \ufffd",
		"\xff\xfe":                 "\ufffd\ufffd",
		"a\x80b":                   "a\ufffdb",
		"\xc0\xaf":                 "\ufffd\ufffd",             // overlong
		"\xe0\x80\xaf":             "\ufffd\ufffd\ufffd",       // overlong
		"\xed\xa0\x80":             "\ufffd\ufffd\ufffd",       // a surrogate
		"\xf4\x90\x80\x80":         "\ufffd\ufffd\ufffd\ufffd", // above U+10FFFF
		"\xe2\x82":                 "\ufffd",                   // cut off
		"\xe2\x82A":                "\ufffdA",
		"\xf0\x9f\x98":             "\ufffd",
		"\xf0\x9f\x98\xf0\x9f\x98": "\ufffd\ufffd",
		"\xf0\x9fé":                "\ufffdé",
		"\xc3\xc3\xa9":             "\ufffdé",
	} {
		assert.Equal(t, want, string(Clean([]byte(in))), "%q", in)
	}
	line := []byte("clean")
	assert.Same(t, &line[0], &Clean(line)[0], "a clean line is not copied")
}

// TestCleanAsNode holds Clean against Node.js with random bytes out of those that
// matter.
func TestCleanAsNode(t *testing.T) {
	const interesting = "aZ\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"
	random := rand.New(rand.NewSource(1))
	lines := make([]string, 20_000)
	for i := range lines {
		line := make([]byte, 1+random.Intn(8))
		for j := range line {
			line[j] = interesting[random.Intn(len(interesting))]
		}
		lines[i] = base64.StdEncoding.EncodeToString(line)
	}
	var want []string
	node(t, "UTC", `process.stdout.write(JSON.stringify(input.map(s => Buffer.from(s, "base64").toString("utf8"))))`, lines, &want)
	require.Len(t, want, len(lines))
	for i, encoded := range lines {
		line, err := base64.StdEncoding.DecodeString(encoded)
		require.NoError(t, err)
		assert.Equal(t, want[i], string(Clean(line)), "%q", line)
	}
}

func TestBlank(t *testing.T) {
	for _, line := range []string{"", " ", "\r", " \t\v\f\r\n", "\ufeff", "\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"} {
		assert.True(t, Blank([]byte(line)), "%q", line)
	}
	for _, line := range []string{"x", "\u200b", "\u0085", "\x00", "\xff", " { "} {
		assert.False(t, Blank([]byte(line)), "%q", line)
	}
}

func TestTrim(t *testing.T) {
	assert.Equal(t, "a b", Trim(" \ufeff\na b\u00a0\r"))
	assert.Equal(t, "\u200bx\u0085", Trim("\u200bx\u0085"), "no white space in JavaScript")
}

func TestValidTakesAnyDepth(t *testing.T) {
	const depth = 1 << 20
	for _, pair := range []string{"[]", "{}"} {
		open, closing := pair[:1], pair[1:]
		if open == "{" {
			open = `{"a":`
		}
		deep := strings.Repeat(open, depth) + "1" + strings.Repeat(closing, depth)
		assert.True(t, Valid([]byte(deep)))
		assert.False(t, Valid([]byte(deep[:len(deep)-1])))
		assert.False(t, Valid([]byte(deep+closing)))
		assert.False(t, Valid([]byte(strings.Repeat(open, depth))))

		line := []byte(`{"type":"custom","data":` + deep + `,"id":"x"}`)
		f, ok := Scan(line)
		assert.True(t, ok)
		assert.Equal(t, "x", f.ID)
		indented := Value(line).Get("data").AppendIndented(nil)
		assert.Less(t, len(indented), len(deep)+1<<16, "no indentation far down")
	}
}

// FuzzValid holds Valid against encoding/json, which has the same grammar but for
// a limit of depth.
func FuzzValid(f *testing.F) {
	for _, line := range jsonLines(f) {
		if len(line.B64) < 2000 {
			f.Add(line.B64)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) > 10_000 {
			t.Skip("may be deeper than encoding/json goes")
		}
		require.Equal(t, json.Valid(line), Valid(line))
	})
}
