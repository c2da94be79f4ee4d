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

// A Default is the directory that pi keeps its sessions in. It need not be there.
type Default struct {
	Dir string
	// NamedBy is the variable or the file that names it, "" if nothing does and it is
	// where pi puts sessions by itself.
	NamedBy string
	// Ignored is the path of a settings.json that is no JSON, "" if there is none.
	Ignored string
}

// FindDefault returns the directory that pi keeps its sessions in, by its own rules:
// $PI_CODING_AGENT_SESSION_DIR, else sessionDir in the agent directory's settings.json,
// else its sessions. The agent directory is $PI_CODING_AGENT_DIR, else ~/.pi/agent. env
// is os.Getenv. An error means that the home directory is not known or settings.json
// cannot be read; like pi it takes a settings.json that is no JSON as one without
// settings.
func FindDefault(env func(string) string) (Default, error) {
	home, err := HomeDir(env)
	if err != nil {
		return Default{}, err
	}
	if dir := env("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		return Default{Dir: expand(dir, home), NamedBy: "$PI_CODING_AGENT_SESSION_DIR"}, nil
	}
	agent, namedBy := filepath.Join(home, ".pi", "agent"), ""
	if dir := env("PI_CODING_AGENT_DIR"); dir != "" {
		agent, namedBy = expand(dir, home), "$PI_CODING_AGENT_DIR"
	}
	settings := filepath.Join(agent, "settings.json")
	dir, ignored, err := sessionDir(settings)
	switch {
	case err != nil:
		return Default{}, err
	case ignored:
		return Default{Dir: filepath.Join(agent, "sessions"), NamedBy: namedBy, Ignored: settings}, nil
	case dir != "":
		return Default{Dir: expand(dir, home), NamedBy: settings}, nil
	}
	return Default{Dir: filepath.Join(agent, "sessions"), NamedBy: namedBy}, nil
}

// HomeDir returns the user's home directory: $HOME, else what the user's account names.
// env is os.Getenv. An error means that the account is not known.
func HomeDir(env func(string) string) (string, error) {
	if home := env("HOME"); home != "" {
		return home, nil
	}
	me, err := user.Current()
	if err != nil {
		return "", err
	}
	return me.HomeDir, nil
}

// DefaultDirs returns the directory of FindDefault, as Open takes it.
func DefaultDirs(env func(string) string) ([]string, error) {
	found, err := FindDefault(env)
	if err != nil {
		return nil, err
	}
	return []string{found.Dir}, nil
}

// sessionDir returns what the settings file says about sessionDir, "" if nothing. A
// file that is no JSON is ignored.
func sessionDir(path string) (dir string, ignored bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	text = trim(bytes.TrimPrefix(model.Clean(text), bom))
	if !model.Valid(text) {
		return "", true, nil
	}
	return model.Value(text).Get("sessionDir").Text(), false, nil
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
