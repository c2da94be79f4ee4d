package writeback

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// AgentDir returns the directory in which pi keeps its settings and sessions:
// $PI_CODING_AGENT_DIR, else ~/.pi/agent.
func AgentDir() string {
	if dir := os.Getenv("PI_CODING_AGENT_DIR"); dir != "" {
		return resolvePath(dir)
	}
	return filepath.Join(home(), ".pi", "agent")
}

// DefaultSessionDir returns the directory in which pi keeps the sessions of the
// working directory cwd, <agent directory>/sessions/--<path>--.
func DefaultSessionDir(cwd string) string {
	path := strings.TrimPrefix(resolvePath(cwd), "/")
	name := "--" + strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(path) + "--"
	return filepath.Join(AgentDir(), "sessions", name)
}

// sessionDir returns dir, or the default for cwd if it is "".
func sessionDir(cwd, dir string) string {
	if dir == "" {
		return DefaultSessionDir(cwd)
	}
	return expandTilde(dir)
}

// resolvePath returns path absolute, clean and with ~ expanded: pi's resolvePath.
func resolvePath(path string) string {
	path = expandTilde(path)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return filepath.Clean(path)
}

func expandTilde(path string) string {
	if path == "~" {
		return home()
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home(), rest)
	}
	return path
}

// home returns the user's home directory, as Node's homedir does.
func home() string {
	dir, _ := os.UserHomeDir()
	return cmp.Or(dir, "/")
}
