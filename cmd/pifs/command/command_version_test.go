package command_test

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	assert.Regexp(t, `^pifs \S+ .*`+runtime.GOOS+"/"+runtime.GOARCH+"\n$", ok(t, "version"))

	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(ok(t, "version", "--json")), &v))
	assert.Equal(t, runtime.Version(), v["go"])
	assert.NotEmpty(t, v["version"])
}

func TestVersionFlag(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		assert.Equal(t, ok(t, "version"), ok(t, flag))
	}
}
