package writeback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// FuzzMigration changes old sessions of any content: what the store shows of the
// migrated file is what it showed before, and no line is lost.
func FuzzMigration(f *testing.F) {
	_, body, _ := strings.Cut(legacy, "\n")
	f.Add(uint8(1), body)
	f.Add(uint8(2), body)
	f.Add(uint8(1), "5\n[]\n{\"type\":\"session\",\"id\":\"x\"}\n{\"type\":\"compaction\",\"firstKeptEntryIndex\":3}\r\n{}\n\"")
	f.Add(uint8(2), user+assistant+"{\"a\":1,\"a\":2} \xff\n{\"id\":7}\n")
	f.Fuzz(func(t *testing.T, version uint8, body string) {
		head := `{"type":"session","id":"f","version":` + string('0'+rune(1+version%2)) + "}\n"
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(head+body), 0o600))
		s := open(t, path)
		before := view(t, s)
		entries := make([]string, before.Tree.Len())
		for i := range entries {
			entries[i] = entryOf(t, before, i)
		}
		require.NoError(t, writeback.Append(s, writeback.Options{FS: unsyncedOS{}}, writeback.SetName("a name that is not in it")))
		after := view(t, open(t, path))

		require.Equal(t, before.Tree.Len()+1, after.Tree.Len())
		for i := range before.Tree.Len() {
			require.Equal(t, before.Tree.ID(i), after.Tree.ID(i))
			require.Equal(t, before.Tree.Parent(i), after.Tree.Parent(i))
			require.Equal(t, entries[i], entryOf(t, after, i))
		}
		require.Equal(t, strings.Count(head+body, "\n"), strings.Count(strings.TrimSuffix(read(t, path), "\n"), "\n")-lastLine(body))
	})
}

// lastLine returns 1 if the last line of a text has no newline.
func lastLine(text string) int {
	if text == "" || strings.HasSuffix(text, "\n") {
		return 0
	}
	return 1
}

// entryOf returns entry i as pi holds it, without white space.
func entryOf(t *testing.T, v *store.View, i int) string {
	t.Helper()
	e, err := v.Entry(i)
	require.NoError(t, err)
	return string(e.Raw.AppendCompact(nil))
}

// FuzzText stores any name and label, and reads them back.
func FuzzText(f *testing.F) {
	f.Add(" a\nb ", "L")
	f.Add("\u2028\x85\ufeff", "\x00\"\\")
	f.Fuzz(func(t *testing.T, name, label string) {
		clean, err := writeback.CleanName(name)
		if err != nil || writeback.CheckText(label) != nil || label == "" {
			t.Skip()
		}
		again, err := writeback.CleanName(clean)
		require.NoError(t, err)
		require.Equal(t, clean, again)
		s := stored(t, small)
		require.NoError(t, writeback.Append(s, writeback.Options{NoSync: true}, func(*store.View) ([]writeback.Change, error) {
			return []writeback.Change{{Name: &name}, {Target: "aaaaaaaa", Label: label}}, nil
		}))
		v := view(t, s)
		is, _ := v.Tree.Name()
		require.Equal(t, clean, is)
		i, _ := v.Tree.Lookup("aaaaaaaa")
		require.Equal(t, label, v.Tree.Label(i))
	})
}

// unsyncedOS never waits for the disk, not even when a file is migrated.
type unsyncedOS struct{ writeback.OS }

func (unsyncedOS) Sync(writeback.Op, *os.File) error { return nil }
