package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDefaultDirs(t *testing.T) {
	home, agent := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		name     string
		env      map[string]string
		settings string // of the agent directory that counts, if not empty
		want     string
	}{
		{name: "nothing is set", want: home + "/.pi/agent/sessions"},
		{name: "agent directory", env: map[string]string{"PI_CODING_AGENT_DIR": agent}, want: agent + "/sessions"},
		{name: "agent directory below home", env: map[string]string{"PI_CODING_AGENT_DIR": "~/x"}, want: home + "/x/sessions"},
		{name: "settings", settings: `{"theme":"x","sessionDir":"/s"}`, want: "/s"},
		{name: "settings with a mark", settings: "\xef\xbb\xbf" + `{"sessionDir":"~/s"}` + "\n", want: home + "/s"},
		{name: "settings that are empty", settings: `{"sessionDir":""}`, want: home + "/.pi/agent/sessions"},
		{name: "settings that are odd", settings: `{"sessionDir":5}`, want: home + "/.pi/agent/sessions"},
		{name: "settings that are broken", settings: `{"sessionDir":`, want: home + "/.pi/agent/sessions"},
		{name: "settings of the agent directory", env: map[string]string{"PI_CODING_AGENT_DIR": agent}, settings: `{"sessionDir":"/t"}`, want: "/t"},
		{name: "session directory", env: map[string]string{"PI_CODING_AGENT_SESSION_DIR": "/u"}, settings: `{"sessionDir":"/s"}`, want: "/u"},
		{name: "session directory is home", env: map[string]string{"PI_CODING_AGENT_SESSION_DIR": "~"}, want: home},
		{name: "session directory as URL", env: map[string]string{"PI_CODING_AGENT_SESSION_DIR": "file:///a%20b"}, want: "/a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := func(name string) string {
				if name == "HOME" {
					return home
				}
				return c.env[name]
			}
			dir := home + "/.pi/agent"
			if c.env["PI_CODING_AGENT_DIR"] == agent {
				dir = agent
			}
			if c.settings != "" {
				path := filepath.Join(dir, "settings.json")
				write(t, path, c.settings)
				defer os.Remove(path)
			}
			got, err := DefaultDirs(env)
			require.NoError(t, err)
			assert.Equal(t, []string{c.want}, got)
		})
	}
	dirs, err := DefaultDirs(func(string) string { return "" })
	require.NoError(t, err)
	assert.True(t, filepath.IsAbs(dirs[0]), "without HOME the user's home directory counts")
}

// TestDefaultSaysWhoNamesIt: one that is named and missing is a mistake.
func TestDefaultSaysWhoNamesIt(t *testing.T) {
	home, agent := t.TempDir(), t.TempDir()
	find := func(env ...string) Default {
		found, err := FindDefault(func(name string) string {
			for i := 0; i+1 < len(env); i += 2 {
				if env[i] == name {
					return env[i+1]
				}
			}
			return ""
		})
		require.NoError(t, err)
		return found
	}
	settings := filepath.Join(home, ".pi", "agent", "settings.json")
	sessions := filepath.Join(home, ".pi", "agent", "sessions")
	assert.Equal(t, Default{Dir: sessions}, find("HOME", home))
	assert.Equal(t, Default{Dir: "/u", NamedBy: "$PI_CODING_AGENT_SESSION_DIR"}, find("HOME", home, "PI_CODING_AGENT_SESSION_DIR", "/u"))
	assert.Equal(t, Default{Dir: agent + "/sessions", NamedBy: "$PI_CODING_AGENT_DIR"}, find("HOME", home, "PI_CODING_AGENT_DIR", agent))
	write(t, settings, `{"sessionDir":"/s"}`)
	assert.Equal(t, Default{Dir: "/s", NamedBy: settings}, find("HOME", home))
	write(t, settings, `{"theme":"x"}`)
	assert.Equal(t, Default{Dir: sessions}, find("HOME", home))
	write(t, settings, `{"sessionDir":"/s",}`)
	assert.Equal(t, Default{Dir: sessions, Ignored: settings}, find("HOME", home))
}
