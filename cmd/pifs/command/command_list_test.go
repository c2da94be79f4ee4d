package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
)

type listed struct {
	Path, ID, Cwd, Name, ParentSessionPath, Created, Modified, FirstMessage string
	MessageCount                                                            int
}

func list(t *testing.T, store string) (rows []listed) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(ok(t, "list", "--json", "--store", store)), &rows))
	return rows
}

func TestList(t *testing.T) {
	store := sampleStore(t)
	lines := strings.Split(strings.TrimSpace(ok(t, "list", "--store", store)), "\n")
	require.Len(t, lines, 5)
	assert.Contains(t, lines[0], "SESSION   MODIFIED")
	for i, title := range []string{"What does `sorted` in schedule.py", "Watering schedule", "Believe Retry-After", "Cache the forecast"} {
		assert.Contains(t, lines[i+1], title, "newest first")
		short, _, _ := strings.Cut(lines[i+1], " ")
		assert.Contains(t, lines[i+1], strings.TrimSpace(ok(t, "name", "--store", store, short)))
	}
	assert.Contains(t, lines[4], "/home/ada/weather")
}

func TestListJSON(t *testing.T) {
	store := sampleStore(t)
	rows := list(t, store)
	require.Len(t, rows, 4)
	fork, parent := rows[2], rows[3]
	assert.Equal(t, "Believe Retry-After", fork.Name)
	assert.Equal(t, "/home/ada/weather", fork.Cwd)
	assert.True(t, strings.HasSuffix(fork.ParentSessionPath, filepath.Base(parent.Path)))
	assert.True(t, strings.HasPrefix(parent.FirstMessage, "Each `weather` call asks the API again"))
	assert.Equal(t, 26, parent.MessageCount)
	assert.True(t, strings.HasPrefix(parent.Created, "2025-11-03T08:12:00."), parent.Created)
	assert.FileExists(t, parent.Path)
	assert.Empty(t, rows[0].Name)
	assert.Empty(t, list(t, t.TempDir()))
}

// TestListShowsNoEscapes: a name can hold anything, a terminal must not get it.
func TestListShowsNoEscapes(t *testing.T) {
	store := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(store, "s.jsonl"), []byte(
		`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/x\u001b[2J"}`+"\n"+
			`{"type":"session_info","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","name":"red \u001b[31m \u202e"}`+"\n"), 0o600))
	assert.NotContains(t, ok(t, "list", "--store", store), "\x1b")
}

// TestListPi holds the rows against those of the real pi.
func TestListPi(t *testing.T) {
	needs.Pi(t)
	store := flatStore(t) // pi looks for no projects in a directory that it is given
	var want []listed
	require.NoError(t, json.Unmarshal(oracle.Ask(t, "list", store), &want))
	require.Len(t, want, 4)
	assert.Equal(t, want, list(t, store))
}
