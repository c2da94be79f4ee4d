package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// TestLastMessage compares what is read from a file's end with what a scan finds.
func TestLastMessage(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../testdata/edge")))
	head := `{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}` + "\n"
	message := func(ms int) string {
		return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":null,"message":{"role":"user","content":"q","timestamp":%d}}`, ms, ms)
	}
	filler := `{"type":"custom","id":"c","parentId":null,"customType":"x","data":"` + strings.Repeat("f", 1000) + `"}` + "\n"
	for name, text := range map[string]string{
		"near":         message(5) + "\n" + message(3) + "\n",
		"far":          message(7) + "\n" + strings.Repeat(filler, 500),
		"very far":     message(9) + "\n" + strings.Repeat(filler, 5000),
		"none":         strings.Repeat(filler, 100),
		"none at all":  "",
		"unterminated": message(4),
		"torn":         message(6) + "\n" + message(8)[:40],
		"long line":    message(2) + "\n" + `{"type":"custom","id":"c","data":"` + strings.Repeat("g", 6<<20) + "\"}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(head+text), 0o644))
	}
	st, err := Open(t.Context(), []string{dir}, Options{})
	require.NoError(t, err)
	defer st.Close()
	found := 0
	for _, s := range st.Sessions() {
		got, err := s.LastMessage()
		require.NoError(t, err, s.Rel)
		again, err := s.LastMessage()
		require.NoError(t, err, s.Rel)
		assert.Equal(t, got, again, s.Rel)
		v, err := s.View()
		require.NoError(t, err, s.Rel)
		assert.Equal(t, v.Summary.LastMessage, got, s.Rel)
		if got != model.NoTime {
			found++
		}
	}
	assert.Greater(t, found, 20)
}
