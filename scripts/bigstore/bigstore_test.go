package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// generate runs the command and returns the files by their path below the store.
func generate(t *testing.T, args ...string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, run(append([]string{"-out", dir}, args...), io.Discard))
	paths, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*.jsonl"))
	require.NoError(t, err)
	files := make(map[string][]byte, len(paths))
	for _, path := range paths {
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		files[rel], err = os.ReadFile(path)
		require.NoError(t, err)
	}
	return files
}

func TestSameSeedSameBytes(t *testing.T) {
	one, two := generate(t, "-n", "20"), generate(t, "-n", "20")
	assert.Len(t, one, 20)
	assert.Equal(t, one, two)
	assert.NotEqual(t, one, generate(t, "-n", "20", "-seed", "2"))
}

func TestSessionsAreWhole(t *testing.T) {
	kinds := map[string]int{}
	for path, data := range generate(t, "-n", "40", "-sigma", "1.5", "-median", "300000") {
		ids := map[string]bool{}
		for n, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
			var entry struct {
				Type, ID string
				ParentID *string
			}
			where := fmt.Sprintf("%s line %d", path, n+1)
			require.NoError(t, json.Unmarshal(line, &entry), where)
			kinds[entry.Type]++
			if n == 0 {
				require.Equal(t, "session", entry.Type, where)
				continue
			}
			if entry.ParentID != nil {
				require.True(t, ids[*entry.ParentID], where)
			}
			ids[entry.ID] = true
		}
	}
	for _, kind := range []string{"session", "message", "model_change", "compaction", "branch_summary", "label", "session_info", "custom", "custom_message", "usage"} {
		assert.NotZero(t, kinds[kind], kind)
	}
}

func TestRefusals(t *testing.T) {
	assert.Error(t, run(nil, io.Discard))
	assert.Error(t, run([]string{"-out", t.TempDir(), "-text", "no-such-file"}, io.Discard))
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	assert.Error(t, run([]string{"-out", t.TempDir(), "-text", empty}, io.Discard))
}
