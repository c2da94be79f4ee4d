package model

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFileName(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "%",
		"%":                       "%25",
		"8a16ac06":                "8a16ac06",
		"fix the build (é, 日本 😀)": "fix the build (é, 日本 😀)",
		".":                       "%2E",
		"..":                      "%2E.",
		".hidden.txt":             "%2Ehidden.txt",
		"-rf":                     "%2Drf",
		"#auto#":                  "%23auto#",
		"a~":                      "a%7E",
		"~":                       "%7E",
		"~a":                      "~a",
		"a ":                      "a%20",
		" ":                       "%20",
		"a/b":                     "a%2Fb",
		"100%":                    "100%25",
		"a\nb\x00\x7f\u0085":      "a%0Ab%00%7F%C2%85",
		"\u2028\u2029":            "%E2%80%A8%E2%80%A9",
		"\u202eexe\u2066\u061c":   "%E2%80%AEexe%E2%81%A6%D8%9C",
		"bad \xff":                "bad %FF",
		"a~0123abcd":              "a%7E0123abcd",
		"a~0123ABCD":              "a~0123ABCD",
		"a~0123abcde":             "a~0123abcde",
		"~0123abcd":               "%7E0123abcd",
		"../../etc/passwd":        "%2E.%2F..%2Fetc%2Fpasswd",
	} {
		name := FileName(text)
		assert.Equal(t, want, name)
		back, ok := ParseFileName(name)
		assert.Equal(t, utf8.ValidString(text), ok, text)
		if ok {
			assert.Equal(t, text, back)
		}
	}
}

func TestFileNameCutsLongText(t *testing.T) {
	whole := strings.Repeat("x", maxNameBytes)
	assert.Equal(t, whole, FileName(whole))
	for _, text := range []string{whole + "x", strings.Repeat("é", 101), "x" + strings.Repeat("é", 100), strings.Repeat("/", 67), strings.Repeat("\u202e", 23), whole[:192] + "~0123abcd"} {
		name := FileName(text)
		sum := sha256.Sum256([]byte(text))
		assert.LessOrEqual(t, len(name), maxNameBytes)
		assert.Greater(t, len(name), maxNameBytes-12)
		cut, ok := strings.CutSuffix(name, "~"+hex.EncodeToString(sum[:4]))
		require.True(t, ok, name)
		assert.True(t, utf8.ValidString(name))
		start, ok := ParseFileName(cut)
		assert.True(t, ok, "not cut inside of a character")
		assert.True(t, strings.HasPrefix(text, start))
	}
}

func TestParseFileName(t *testing.T) {
	for name, want := range map[string]string{"%": "", "a%2fb": "a/b", "a b~": "a b~", "%41": "A"} {
		text, ok := ParseFileName(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, text)
	}
	for _, name := range []string{"%4", "a%", "%zz", "%%", "%FF", "\xff", "%C3("} {
		_, ok := ParseFileName(name)
		assert.False(t, ok, name)
	}
}

// FuzzFileName looks for names that cannot stand in a directory, and for two
// texts of one name: a name that was not cut gives back its text, and does not
// look as if it had been cut.
func FuzzFileName(f *testing.F) {
	for _, text := range []string{"", "%", "..", "a~0123abcd", "a~\xff", strings.Repeat("é", 100), strings.Repeat("x", 191) + "~01234567"} {
		f.Add(text)
	}
	cut := regexp.MustCompile(`~[0-9a-f]{8}$`)
	f.Fuzz(func(t *testing.T, text string) {
		name := FileName(text)
		require.NotEmpty(t, name)
		require.LessOrEqual(t, len(name), maxNameBytes)
		require.True(t, utf8.ValidString(name))
		require.NotContains(t, name, "/")
		require.False(t, strings.ContainsAny(name[:1], ".-#"), name)
		require.False(t, strings.ContainsAny(name[len(name)-1:], "~ "), name)
		for _, r := range name {
			require.False(t, escapes(r, utf8.RuneLen(r)) && r != '%', name)
		}
		if cut.MatchString(name) {
			require.Greater(t, len(text), maxNameBytes/3-3, "nothing short is cut")
			return
		}
		back, ok := ParseFileName(name)
		require.Equal(t, utf8.ValidString(text), ok)
		if ok {
			require.Equal(t, text, back)
		}
	})
}
