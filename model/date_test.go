package model

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// inZone sets the local time zone for a test.
func inZone(t *testing.T, name string) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("no time zone data: " + err.Error())
	}
	old := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = old })
}

func TestParseTime(t *testing.T) {
	inZone(t, "Europe/Berlin")
	for _, c := range []struct {
		value string
		want  int64
	}{
		{``, NoTime},
		{`null`, 0},
		{`true`, 1},
		{`false`, 0},
		{`[]`, NoTime},
		{`{}`, NoTime},
		{`1765241609825`, 1765241609825},
		{`-1.9`, -1},
		{`1.9`, 1},
		{`8.64e15`, 8.64e15},
		{`8640000000000001`, NoTime},
		{`1e999`, NoTime},
		{`"2025-12-09T00:53:29.825Z"`, 1765241609825},
		{`"2025-12-09T00:53:29.8259999Z"`, 1765241609825},
		{`"2025-12-09T00:53:29.8Z"`, 1765241609800},
		{`"2025-12-09T00:53Z"`, 1765241580000},
		{`"2025-12-09T01:53:29+01:00"`, 1765241609000},
		{`"2025-12-09T01:53:29+0100"`, 1765241609000},
		{`"2025-12-09t00:53:29z"`, 1765241609000},
		{`"2025-12-09T00:53:29"`, 1765238009000}, // local time
		{`"2025-07-09T00:00"`, 1752012000000},    // with summer time
		{`"2025-12-09"`, 1765238400000},          // UTC
		{`"2025-12"`, 1764547200000},
		{`"2025"`, 1735689600000},
		{`"2025-02-31"`, 1740960000000},
		{`"+002025-12-09"`, 1765238400000},
		{`"-000001-01-01T00:00:00Z"`, -62198755200000},
		{`"-000000-01-01T00:00:00Z"`, NoTime},
		{`"+275760-09-13T00:00:00.000Z"`, 8.64e15},
		{`"+275760-09-13T00:00:00.001Z"`, NoTime},
		{`"-271821-04-20T00:00:00.000Z"`, -8.64e15},
		{`"2025-12-09T24:00:00Z"`, 1765324800000},
		{`"2025-12-09T24:00:01Z"`, NoTime},
		{`"2025-13-09T00:00:00Z"`, NoTime},
		{`"2025-12-09T00:60:00Z"`, NoTime},
		{`"2025-12-09T00:53:29Z "`, NoTime},
		{`"2025-12-09\u005400:53:29Z"`, 1765241609000},
		{`""`, NoTime},
		{`"yesterday"`, NoTime},
		{`"Tue, 09 Dec 2025 00:53:29 GMT"`, 1765241609000},
		{`"Tue, 09 Dec 2025 00:53:29 +0100"`, 1765238009000},
		{`"2025-12-09 00:53:29"`, 1765238009000},
		{`"2025-12-09 00:53:29Z"`, 1765241609000},
		{`"2025/12/09"`, 1765234800000},
		{`"Dec 9, 2025"`, 1765234800000},
		{`"9 December 2025 3:04 pm"`, 1765289040000},
		{`"12/9/25"`, 1765234800000},
		{`"1765241609825"`, NoTime},
		{`"0"`, 946681200000},
		{`"2025-12-09\u0000x"`, 1765238400000},
		{`"Dec\u00a09, 2025"`, 1765234800000},
	} {
		assert.Equal(t, c.want, ParseTime(Value(c.value)), c.value)
	}
}

func TestFormatTime(t *testing.T) {
	for ms, want := range map[int64]string{
		0:               "1970-01-01T00:00:00.000Z",
		1765241609825:   "2025-12-09T00:53:29.825Z",
		-62198755200001: "-000002-12-31T23:59:59.999Z",
		-62167219200000: "0000-01-01T00:00:00.000Z",
		253402300800000: "+010000-01-01T00:00:00.000Z",
		8.64e15:         "+275760-09-13T00:00:00.000Z",
		-8.64e15:        "-271821-04-20T00:00:00.000Z",
		8.64e15 + 1:     "",
		NoTime:          "",
		math.MaxInt64:   "",
	} {
		assert.Equal(t, want, FormatTime(ms))
		if want != "" {
			assert.Equal(t, ms, ParseTime(AppendString(nil, want)), want)
		}
	}
}

func TestDaysSince1970(t *testing.T) {
	for year := -2000; year < 4000; year += 7 {
		for month := 1; month <= 12; month++ {
			for _, day := range []int{1, 28, 29, 30, 31} {
				want := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
				require.Equal(t, want, daysSince1970(year, month, day))
			}
		}
	}
}

// TestParseTimeAsNode holds ParseTime against the real Date with strings made of
// what dates are made of.
func TestParseTimeAsNode(t *testing.T) {
	const zone = "America/New_York"
	inZone(t, zone)
	texts := dateTexts(20_000)
	var want []*float64
	node(t, zone, `process.stdout.write(JSON.stringify(input.map(s => new Date(s).getTime())))`, texts, &want)
	require.Len(t, want, len(texts))
	for i, text := range texts {
		ms := int64(NoTime)
		if want[i] != nil {
			ms = int64(*want[i])
		}
		assert.Equal(t, ms, ParseTime(AppendString(nil, text)), "%q", text)
	}
}

// dateTexts returns n texts put together at random, the same at each call.
func dateTexts(n int) []string {
	random := rand.New(rand.NewSource(1))
	pick := func(parts ...string) string { return parts[random.Intn(len(parts))] }
	forms := []func() string{
		func() string {
			return pick("2025", "1999", "+002025", "-000044", "0000", "99999", "12") + "-" + pick("12", "01", "13", "1", "00") + "-" +
				pick("09", "31", "32", "9", "00") + pick("T", "t", " ", "") + pick("00:53", "24:00", "7:05", "23:59:59", "10:00:00.5", "10:00:00.123456789123", "") +
				pick("", "", "Z", "z", " Z", "+01:00", "-0530", "+1", " GMT", "+24:00", " ")
		},
		func() string {
			return pick("Tue, ", "Tue ", "", "x") + pick("9", "09", "31", "0") + pick(" ", "-", "/", "") + pick("Dec", "December", "dec.", "Foo", "12") + pick(" ", "-", "/", "") +
				pick("2025", "25", "1950", "49", "50", "") + " " + pick("00:53:29", "3:04", "15", "") + pick("", " pm", " AM", "pm", " GMT", " EST", " GMT+0100 (CET)", " +0100", " UTC-3", "Z")
		},
		func() string {
			return pick("Jan", "January", "Sept", "mar") + " " + pick("1", "31", "45") + pick(", ", " ") + pick("2026", "26", "") + pick("", " 10:00", " 10:00:00", " 10::00", " 10:00.5", " 10.5")
		},
		func() string {
			var b strings.Builder
			for range 1 + random.Intn(6) {
				b.WriteString(pick("2025", "12", "1", "07", "-", "/", ":", ".", " ", "T", "Z", "GMT", "+", "pm", "Mar", "(", ")", "x", "éa", "\u00a0", "\u202f", "\u2028", "\t", "\n", "\x00", "100", ","))
			}
			return b.String()
		},
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = forms[i%len(forms)]()
	}
	return texts
}

// node runs a script of Node.js in a time zone: it finds input decoded in the
// variable of that name, and what it prints is decoded into output.
func node(t *testing.T, zone, script string, input, output any) {
	program := needs.Program(t, "node")
	text, err := json.Marshal(input)
	require.NoError(t, err)
	c := exec.Command(program, "-e", `const input = JSON.parse(require("fs").readFileSync(0, "utf8"));`+script)
	c.Env = append(c.Environ(), "TZ="+zone)
	c.Stdin = bytes.NewReader(text)
	answer, err := c.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(answer, output))
}
