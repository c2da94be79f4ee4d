package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/cmd/pifs/command"
	"github.com/pifs/pifs/internal/needs"
)

type finding struct{ Check, State, Detail string }

func examined(t *testing.T, args ...string) (code int, findings map[string]finding) {
	t.Helper()
	r := pifs(append([]string{"doctor", "--json"}, args...)...)
	var list []finding
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &list))
	findings = map[string]finding{}
	for _, f := range list {
		findings[f.Check] = f
	}
	return r.code, findings
}

func TestDoctor(t *testing.T) {
	needs.FUSE(t)
	noStore(t)
	code, findings := examined(t)
	assert.Equal(t, command.ExitOK, code)
	assert.Equal(t, "ok", findings["fuse"].State)
	assert.Equal(t, "note", findings["store"].State)
	assert.Contains(t, findings["store"].Detail, "sample")

	_, findings = examined(t, "--sample")
	assert.Equal(t, finding{"store", "ok", "the sample"}, findings["store"])

	code, findings = examined(t, "--store", "/no/such/store")
	assert.Equal(t, command.ExitFailed, code)
	assert.Equal(t, "missing", findings["store"].State)

	dir := t.TempDir()
	_, findings = examined(t, "--store", dir)
	assert.Equal(t, finding{"store", "note", "No *.jsonl was found in " + dir + "."}, findings["store"])
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), nil, 0o600))
	_, findings = examined(t, "--store", dir)
	assert.Equal(t, finding{"store", "note", "There is no session in " + dir + ": pifs check says what its files lack."}, findings["store"])
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(`{"type":"session","version":3,"id":"s","cwd":"/x"}`+"\n"), 0o600))
	_, findings = examined(t, "--store", dir)
	assert.Equal(t, "1 session in "+dir, findings["store"].Detail)

	assert.Contains(t, pifs("doctor", "--sample").stdout, "ok       store")
}
