package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// isText tells whether text is UTF-8 that is safe to print.
func isText(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size < 2 || r < 0x20 && r != '\n' && r != '\t' || r == 0x7F || isHidden(r) {
			return false
		}
		text = text[size:]
	}
	return true
}

// slowClean is appendClean character by character.
func slowClean(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(text, "\n"):
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7F:
			b.WriteRune('␡')
		case 0x80 <= r && r <= 0x9F, strings.ContainsRune("\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069", r):
			b.WriteString(strings.ToUpper("<u+" + string(appendHex(nil, r)) + ">"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func appendHex(dst []byte, r rune) []byte {
	for shift := 12; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789ABCDEF"[r>>shift&15])
	}
	return dst
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"plain\ttext\n":        "plain\ttext\n",
		"a\r\nb\rc\r":          "a\nb␍c␍",
		"a\r\r\nb":             "a␍\nb",
		"\x00\x07\x1b[31m\x7f": "␀␇␛[31m␡",
		"\u0085\u009b\u00a0":   "<U+0085><U+009B>\u00a0",
		"\u202e\u2066\u200f":   "<U+202E><U+2066><U+200F>",
		"\u2028\u2029\ufeff":   "\u2028\u2029\ufeff",
		"日本語 🙂 e\u0301":        "日本語 🙂 e\u0301",
		"\xff\xed\xa0\x80":     "\uFFFD\uFFFD\uFFFD\uFFFD",
		`back\slash`:           `back\slash`,
	} {
		assert.Equal(t, want, string(appendClean(nil, []byte(text), false)), "%q", text)
	}
}

func TestString(t *testing.T) {
	for text, want := range map[string]string{
		`"a\"b\\c\/d"`:                       `a"b\c/d`,
		`"\b\f\n\r\t"`:                       "␈␌\n␍\t",
		`"a\r\nb\r\u000ac\r\r"`:              "a\nb\nc␍␍",
		`"\u000D\n\u000d\u000A"`:             "\n\n",
		`"\ud83d\ude42 \uD83D\uDE42"`:        "🙂 🙂",
		`"\ud83d \ude42 \ud83d\ud83d\ude42"`: "\uFFFD \uFFFD \uFFFD🙂",
		`"\u202e\u009b\u007f\u0000"`:         "<U+202E><U+009B>␡␀",
		`"\u`:                                "\uFFFD",
		`"\`:                                 "",
		`"`:                                  "",
		`  "x" `:                             "x",
		`5`:                                  "",
	} {
		assert.Equal(t, want, string(appendString(nil, model.Value(text))), "%s", text)
	}
}

// FuzzClean holds the fast path against the slow one: unescape, then clean.
func FuzzClean(f *testing.F) {
	f.Add([]byte("a\r\nb\x00\u009b\xff\\n"))
	f.Add([]byte("\u2028\u202e 日本語 \x7f long enough to have whole words in it"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cleaned := appendClean([]byte("x"), text, false)[1:]
		require.True(t, isText(cleaned), "%q", cleaned)
		require.Equal(t, slowClean(string(text)), string(cleaned))
		require.Equal(t, string(cleaned), string(appendClean(nil, cleaned, false)), "not idempotent")

		line := []byte{'"'}
		line = append(append(line, text...), '"')
		if json.Valid(line) && utf8.Valid(line) {
			require.Equal(t, slowClean(model.Value(line).Text()), string(appendString(nil, line)), "%s", line)
		} else {
			require.True(t, isText(appendString(nil, line)))
		}
		quoted := model.AppendString(nil, string(text))
		require.Equal(t, slowClean(model.Value(quoted).Text()), string(appendString(nil, quoted)))
	})
}

func TestCleanRunFindsEveryStop(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := bytes.Repeat([]byte{'a'}, 20)
			text[at] = byte(c)
			want := 20
			if c < 0x20 || c >= 0x7F || c == '\\' {
				want = at
			}
			require.Equal(t, want, cleanRun(text), "%q", text)
		}
	}
}
