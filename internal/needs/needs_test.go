package needs_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/internal/needs"
)

// TestMissing asks for what is not there, when TestSkipAndFailure runs it.
func TestMissing(t *testing.T) {
	if os.Getenv("NEEDS_TEST") != "" {
		needs.Program(t, "no-such-program")
	}
}

func TestSkipAndFailure(t *testing.T) {
	again := func(required string) string {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestMissing$")
		cmd.Env = append(os.Environ(), "NEEDS_TEST=1", "PIFS_REQUIRE="+required)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	assert.Contains(t, again("rg"), "--- SKIP: TestMissing")
	out := again("rg,no-such-program")
	assert.Contains(t, out, "--- FAIL: TestMissing")
	assert.Contains(t, out, "there is no program no-such-program")
	assert.Contains(t, again("all"), "--- FAIL: TestMissing")
}

func TestModesInForce(t *testing.T) {
	if !needs.ModesInForce(t) {
		return
	}
	file := t.TempDir() + "/file"
	assert.NoError(t, os.WriteFile(file, nil, 0))
	_, err := os.ReadFile(file)
	assert.ErrorIs(t, err, os.ErrPermission)
}

func TestPresent(t *testing.T) {
	assert.NotEmpty(t, needs.Program(t, "go"))
	assert.FileExists(t, needs.Module(t)+"/go.mod")
}
