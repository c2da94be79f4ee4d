package store

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/pifs/pifs/model"
)

// DefaultDirs returns the directories that pi keeps its sessions in, by its own
// rules: $PI_CODING_AGENT_SESSION_DIR, else sessionDir in the agent directory's
// settings.json, else its sessions. The agent directory is $PI_CODING_AGENT_DIR,
// else ~/.pi/agent. env is os.Getenv. The directories need not be there. An error
// means that the home directory is not known or settings.json cannot be read; like
// pi it takes a settings.json that is no JSON as one without settings.
func DefaultDirs(env func(string) string) ([]string, error) {
	home := env("HOME")
	if home == "" {
		me, err := user.Current()
		if err != nil {
			return nil, err
		}
		home = me.HomeDir
	}
	if dir := env("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		return []string{expand(dir, home)}, nil
	}
	agent := filepath.Join(home, ".pi", "agent")
	if dir := env("PI_CODING_AGENT_DIR"); dir != "" {
		agent = expand(dir, home)
	}
	dir, err := sessionDir(filepath.Join(agent, "settings.json"))
	switch {
	case err != nil:
		return nil, err
	case dir != "":
		return []string{expand(dir, home)}, nil
	}
	return []string{filepath.Join(agent, "sessions")}, nil
}

// sessionDir returns what the settings file says about sessionDir, "" if nothing.
func sessionDir(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text = trim(bytes.TrimPrefix(model.Clean(text), bom))
	if !model.Valid(text) {
		return "", nil
	}
	return model.Value(text).Get("sessionDir").Text(), nil
}

// expand is pi's normalizePath: a leading ~ and file: URLs.
func expand(path, home string) string {
	switch {
	case path == "~":
		return home
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(home, path[2:])
	case strings.HasPrefix(path, "file://"):
		if u, err := url.Parse(path); err == nil {
			return u.Path
		}
	}
	return path
}
