package writeback_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// normalized returns text with ids numbered and times taken out.
func normalized(text string) string { return newNormalizer("/nowhere").normalize(text) }

// TestAppendForm compares what each plan appends with what pi writes.
func TestAppendForm(t *testing.T) {
	labelled := small +
		`{"type":"label","id":"cccccccc","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:08.000Z","targetId":"aaaaaaaa","label":"L"}` + "\n" +
		`{"type":"label","id":"dddddddd","parentId":"cccccccc","timestamp":"2025-01-02T03:04:09.000Z","targetId":"bbbbbbbb","label":"L"}` + "\n" +
		`{"type":"session_info","id":"eeeeeeee","parentId":"dddddddd","timestamp":"2025-01-02T03:04:10.000Z","name":"Name"}` + "\n"
	tests := []struct {
		name string
		text string
		plan writeback.Plan
		want []string
	}{
		{"name", small, writeback.SetName("New name"), []string{
			`{"type":"session_info","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","name":"New name"}`,
		}},
		{"name trimmed, line breaks joined, controls dropped", small, writeback.SetName(" \u2028a\r\n\r\nb\x1b[31m\tc\u009b\u00e9 \ufeff\n"), []string{
			`{"type":"session_info","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","name":"a b[31mc` + "\u00e9" + `"}`,
		}},
		{"name cleared", labelled, writeback.SetName(" \n"), []string{
			`{"type":"session_info","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","name":""}`,
		}},
		{"name as it is", labelled, writeback.SetName("  Name\n"), nil},
		{"no name cleared", small, writeback.SetName(""), nil},
		{"label", small, writeback.LabelEntry("aaaaaaaa", "a \"b\"\n</>\u2028"), []string{
			`{"type":"label","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","targetId":"aaaaaaaa","label":"a \"b\"\n</>` + "\u2028" + `"}`,
		}},
		{"label as it is", labelled, writeback.LabelEntry("aaaaaaaa", "L"), nil},
		{"label cleared", labelled, writeback.LabelEntry("aaaaaaaa", ""), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"aaaaaaaa"}`,
		}},
		{"label current", labelled, writeback.LabelCurrent("now"), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"bbbbbbbb","label":"now"}`,
		}},
		{"label put on one", labelled, writeback.PutLabel("L", "bbbbbbbb"), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"aaaaaaaa"}`,
		}},
		{"label put on several, one twice", small, writeback.PutLabel("L", "bbbbbbbb", "aaaaaaaa", "bbbbbbbb"), []string{
			`{"type":"label","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","targetId":"bbbbbbbb","label":"L"}`,
			`{"type":"label","id":"id 1","parentId":"id 0","timestamp":"TIME","targetId":"aaaaaaaa","label":"L"}`,
		}},
		{"label added", labelled, writeback.AddLabel("M", "aaaaaaaa"), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"aaaaaaaa","label":"M"}`,
		}},
		{"label moved", labelled, writeback.MoveLabel("L", "M"), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"aaaaaaaa","label":"M"}`,
			`{"type":"label","id":"id 1","parentId":"id 0","timestamp":"TIME","targetId":"bbbbbbbb","label":"M"}`,
		}},
		{"label cleared everywhere", labelled, writeback.ClearLabel("L"), []string{
			`{"type":"label","id":"id 0","parentId":"eeeeeeee","timestamp":"TIME","targetId":"aaaaaaaa"}`,
			`{"type":"label","id":"id 1","parentId":"id 0","timestamp":"TIME","targetId":"bbbbbbbb"}`,
		}},
		{"changes that cancel out", small, func(*store.View) ([]writeback.Change, error) {
			return []writeback.Change{{Target: "aaaaaaaa", Label: "x"}, {Target: "aaaaaaaa"}, {Target: "aaaaaaaa"}}, nil
		}, []string{
			`{"type":"label","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","targetId":"aaaaaaaa","label":"x"}`,
			`{"type":"label","id":"id 1","parentId":"id 0","timestamp":"TIME","targetId":"aaaaaaaa"}`,
		}},
		{"no entries", header, writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","parentId":null,"timestamp":"TIME","name":"n"}`,
		}},
		{"leaf moved", small + `{"type":"leaf","targetId":"aaaaaaaa"}` + "\n", writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","parentId":"aaaaaaaa","timestamp":"TIME","name":"n"}`,
		}},
		{"leaf moved before all", small + `{"type":"leaf","targetId":null}` + "\n", writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","parentId":null,"timestamp":"TIME","name":"n"}`,
		}},
		{"leaf with a number as id", small + `{"type":"custom","id":12345678,"parentId":"bbbbbbbb"}` + "\n", writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","parentId":12345678,"timestamp":"TIME","name":"n"}`,
		}},
		{"leaf with digits as id", small + `{"type":"custom","id":"x12345678","parentId":"bbbbbbbb"}` + "\n", writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","parentId":"x12345678","timestamp":"TIME","name":"n"}`,
		}},
		{"leaf without id", small + `{"type":"custom","parentId":"bbbbbbbb"}` + "\n", writeback.SetName("n"), []string{
			`{"type":"session_info","id":"id 0","timestamp":"TIME","name":"n"}`,
		}},
		{"no last newline", strings.TrimSuffix(small, "\n"), writeback.SetName("n"), []string{
			"", `{"type":"session_info","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","name":"n"}`,
		}},
		{"torn last line", small + `{"type":"message","id":"ffff`, writeback.SetName("n"), []string{
			"", `{"type":"session_info","id":"id 0","parentId":"bbbbbbbb","timestamp":"TIME","name":"n"}`,
		}},
		{"no last newline, nothing to do", strings.TrimSuffix(small, "\n"), writeback.SetName(""), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := stored(t, test.text)
			require.NoError(t, writeback.Append(s, writeback.Options{}, test.plan))
			want := strings.Join(test.want, "\n")
			if test.want != nil {
				want += "\n"
			}
			keep := strings.NewReplacer(`"aaaaaaaa"`, "A", `"bbbbbbbb"`, "B", `"cccccccc"`, "C", `"dddddddd"`, "D", `"eeeeeeee"`, "E")
			assert.Equal(t, keep.Replace(want), normalized(keep.Replace(added(t, s, test.text))))
		})
	}
}

// TestAppendAgain makes each change twice: the second appends nothing, not even a
// change of the mtime.
func TestAppendAgain(t *testing.T) {
	s := stored(t, small)
	plans := []writeback.Plan{
		writeback.SetName("n"), writeback.LabelEntry("aaaaaaaa", "L"), writeback.PutLabel("L", "bbbbbbbb"),
		writeback.ClearLabel("L"), writeback.SetName(""),
	}
	for i, plan := range plans {
		require.NoError(t, writeback.Append(s, writeback.Options{}, plan))
		text, before := read(t, s.Path), stat(t, s.Path).ModTime()
		require.NoError(t, writeback.Append(s, writeback.Options{}, plan))
		assert.Equal(t, text, read(t, s.Path), "plan %d", i)
		assert.Equal(t, before, stat(t, s.Path).ModTime(), "plan %d", i)
	}
}

// TestAppendIsSeen checks that the caller's session shows what was appended.
func TestAppendIsSeen(t *testing.T) {
	s := stored(t, small)
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName("n")))
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.LabelEntry("aaaaaaaa", "L")))
	v, err := s.View()
	require.NoError(t, err)
	name, _ := v.Tree.Name()
	assert.Equal(t, "n", name)
	i, _ := v.Tree.Lookup("aaaaaaaa")
	assert.Equal(t, "L", v.Tree.Label(i))
}

// TestAppendRefused lists what an append refuses, with an untouched file.
func TestAppendRefused(t *testing.T) {
	tests := []struct {
		name string
		plan writeback.Plan
		want error
	}{
		{"unknown entry", writeback.LabelEntry("nosuch", "L"), writeback.ErrUnknownEntry},
		{"one unknown of several", writeback.PutLabel("L", "aaaaaaaa", "nosuch"), writeback.ErrUnknownEntry},
		{"entry without id", writeback.LabelEntry("line-4", "L"), writeback.ErrUnknownEntry},
		{"label that no entry has", writeback.MoveLabel("L", "M"), writeback.ErrUnknownEntry},
		{"name that is no UTF-8", writeback.SetName("a\xffb"), writeback.ErrText},
		{"label that is no UTF-8", writeback.LabelEntry("aaaaaaaa", "\xc3"), writeback.ErrText},
		{"long name", writeback.SetName(strings.Repeat("x", 4097)), writeback.ErrTooLong},
		{"long label", writeback.LabelEntry("aaaaaaaa", strings.Repeat("x", 4097)), writeback.ErrTooLong},
		{"plan that fails", func(*store.View) ([]writeback.Change, error) { return nil, os.ErrDeadlineExceeded }, os.ErrDeadlineExceeded},
	}
	text := small + `{"type":"custom"}` + "\n"
	s := stored(t, text)
	for _, test := range tests {
		err := writeback.Append(s, writeback.Options{}, test.plan)
		assert.ErrorIs(t, err, test.want, test.name)
		assert.Empty(t, added(t, s, text), test.name)
	}
}

// TestAppendLongest appends what is just not too long.
func TestAppendLongest(t *testing.T) {
	s := stored(t, small)
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.SetName(strings.Repeat("x", 4096))))
	require.NoError(t, writeback.Append(s, writeback.Options{}, writeback.LabelEntry("aaaaaaaa", "\x00"+strings.Repeat("y", 4095))))
	v := view(t, s)
	name, _ := v.Tree.Name()
	assert.Len(t, name, 4096)
	i, _ := v.Tree.Lookup("aaaaaaaa")
	assert.Len(t, v.Tree.Label(i), 4096)
}

func stat(t testing.TB, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info
}
