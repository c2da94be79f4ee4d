package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/model"
)

// A row is what pi's session picker lists.
type row struct {
	Path              string
	Cwd               string
	Name              string
	Created, Modified time.Time
	MessageCount      int
	FirstMessage      string
}

// TestListAsPi compares the rows of pi's session picker, and their order, with what
// pi lists of stores that it has written itself, and of real sessions.
func TestListAsPi(t *testing.T) {
	needs.Pi(t)
	stores := map[string]func(t *testing.T) string{
		"odd files": func(t *testing.T) string { return "../testdata/edge" },
		"real":      func(t *testing.T) string { return needs.RealSessions(t) },
	}
	for seed := range 5 {
		stores[fmt.Sprintf("seed %d", seed)] = func(t *testing.T) string {
			dir := t.TempDir()
			oracle.Ask(t, "generate", dir, fmt.Sprint(seed), "30", "80")
			return dir
		}
	}
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			dir := flat(t, store(t))
			var want []row
			require.NoError(t, json.Unmarshal(oracle.Ask(t, "list", dir), &want))
			require.NotEmpty(t, want)

			s := open(t, dir)
			var digests []Digest
			require.NoError(t, s.DigestAll(t.Context(), 2, func(x *Session, d Digest, err error) {
				require.NoError(t, err)
				digests = append(digests, d)
			}))
			SortAsPi(digests)
			require.Len(t, digests, len(want))
			for i, d := range digests {
				require.Equal(t, want[i], rowOf(t, d))
			}
		})
	}
}

func rowOf(t *testing.T, d Digest) row {
	first, err := d.FirstMessage()
	require.NoError(t, err)
	if first == "" {
		first = "(no messages)"
	}
	r := row{
		Path:         d.Session.Path,
		Cwd:          d.Session.Cwd(),
		Name:         d.Summary.Name,
		Modified:     time.UnixMilli(d.Summary.Modified).UTC(),
		MessageCount: d.Summary.MessageCount,
		FirstMessage: first,
	}
	if d.Summary.Created != model.NoTime {
		r.Created = time.UnixMilli(d.Summary.Created).UTC()
	}
	return r
}

// notCompared are odd files that either only pi lists, which then refuses to open
// them, or only pifs.
var notCompared = map[string]bool{
	"bom.jsonl":                         true,
	"header-on-line-2-title-slot.jsonl": true,
	"images-and-bash.jsonl":             true,
	"v1-no-id-no-cwd.jsonl":             true,
}

// listsAlike takes out of a file what pi's list trips over, though pi opens the
// session: it takes U+2028 and U+2029 as the ends of lines, and a content that is
// null throws, so that the session is left out.
var listsAlike = strings.NewReplacer("\u2028", " ", "\u2029", " ", `"content":null`, `"content":[]`)

// flat copies all sessions into one directory, as pi lists one.
func flat(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	n := 0
	require.NoError(t, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, suffix) || notCompared[filepath.Base(path)] {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		to := filepath.Join(dir, filepath.Base(path))
		write(t, to, listsAlike.Replace(string(text)))
		n++
		written := time.UnixMilli(1767225600000 + int64(n*1000))
		return os.Chtimes(to, written, written)
	}))
	return dir
}
