package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

// TestShortIDs: what is shown of an id is what finds the session again.
func TestShortIDs(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{
		"2026_a":       "019a48c5-e480-77c7-9f9b-3064f38e9a75",
		"2026_b":       "019a48c5-e480-77c7-9f9b-3064f38e9a76", // until the last digit
		"2026_c":       "019a48c5-1111-77c7-9f9b-3064f38e9a75",
		"2026_d":       "short",
		"2026_e":       "shorter",
		"2026_f":       "ähnlich-ä1",
		"2026_g":       "ähnlich-ö1",
		"2026_h":       "2026_abcdef", // begins as a file's name
		"twice":        "same",
		"twice-again":  "same",
		"in/twice":     "same",
		"named-as-id":  "named-as-id",
		"named-as-id2": "other",
		"other":        "third", // its name is another's id
		"2027_a":       "third",
	} {
		path := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `{"type":"session","version":3,"id":%q}`+"\n", id), 0o600))
	}
	options := storeOptions{dirs: []string{dir}}
	st, _, err := options.open(t.Context(), false, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	ids := newSessionIDs(st.Sessions())
	shown := map[string]string{}
	for _, s := range st.Sessions() {
		short := ids.short(s)
		shown[strings.TrimSuffix(s.Rel, ".jsonl")] = short
		ref, err := options.openSession(t.Context(), short)
		require.NoError(t, err, short)
		assert.Equal(t, s.Path, ref.Path)
		ref.Close()
	}
	assert.Equal(t, "019a48c5-e480-77c7-9f9b-3064f38e9a75", shown["2026_a"])
	assert.Equal(t, "019a48c5-1", shown["2026_c"])
	assert.Equal(t, "short", shown["2026_d"])
	assert.Equal(t, "ähnlich-ä", shown["2026_f"])
	assert.Equal(t, "twice-again", shown["twice-again"])
	assert.Equal(t, filepath.Join(dir, "twice.jsonl"), shown["twice"], "neither its id nor its name tells it from the other")
	assert.Equal(t, filepath.Join(dir, "in", "twice.jsonl"), shown["in/twice"])
	assert.Equal(t, filepath.Join(dir, "other.jsonl"), shown["other"])
}
