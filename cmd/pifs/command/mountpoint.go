package command

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/store"
)

// defaultMountpoint is where a mount goes without an argument: below the home
// directory, where a person looks.
const defaultMountpoint = "pi-sessions"

// A mountpoint is a directory that is fit to be mounted on.
type mountpoint struct {
	dir     string // absolute, without links
	created bool   // by prepareMountpoint
}

// mountpointArg returns the mountpoint that the arguments name, or the default
// one, as an absolute path.
func mountpointArg(args []string) (string, error) {
	if len(args) > 0 {
		dir, err := filepath.Abs(args[0])
		return dir, withCode(ExitMountpoint, err)
	}
	home, err := store.HomeDir(os.Getenv)
	if err != nil {
		return "", withCode(ExitMountpoint, fmt.Errorf("no mountpoint given, and no home directory for the default one: %w", err))
	}
	return filepath.Join(home, defaultMountpoint), nil
}

// prepareMountpoint makes sure that dir can be mounted on: it creates it if it is
// missing, clears a dead mount of ours there, and refuses what would hide or mix
// anything: no directory, not empty, a mount already, inside a store or around one.
func prepareMountpoint(dir string, stores []string) (mountpoint, error) {
	m, err := findMountpoint(dir)
	if err != nil {
		return m, withCode(ExitMountpoint, err)
	}
	if err := m.check(stores); err != nil {
		m.remove()
		return m, withCode(ExitMountpoint, err)
	}
	return m, nil
}

// findMountpoint resolves links, clears a dead mount, and creates the directory.
func findMountpoint(dir string) (mountpoint, error) {
	path, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, syscall.ENOTCONN) || err == nil && isDead(path) {
		if path, err = resolveParent(dir); err != nil {
			return mountpoint{}, err
		}
		if err := clearDeadMount(path); err != nil {
			return mountpoint{}, err
		}
		return mountpoint{dir: path}, nil
	}
	if err == nil {
		return mountpoint{dir: path}, nil
	}
	if !errors.Is(err, iofs.ErrNotExist) {
		return mountpoint{}, fmt.Errorf("can't use the mountpoint: %w", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		return mountpoint{}, fmt.Errorf("mountpoint %s is a link to nowhere: remove it, or name another directory", dir)
	}
	if path, err = resolveParent(dir); err != nil {
		return mountpoint{}, err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return mountpoint{}, fmt.Errorf("can't create the mountpoint: %w", err)
	}
	return mountpoint{dir: path, created: true}, nil
}

// missingParent is the error for a mountpoint in a directory that does not exist.
type missingParent struct{ dir string }

func (e *missingParent) Error() string {
	return "the mountpoint's directory is missing: mkdir -p " + e.dir
}

// resolveParent resolves links in all of a path but its last element.
func resolveParent(dir string) (string, error) {
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return "", &missingParent{filepath.Dir(dir)}
	case err != nil:
		return "", fmt.Errorf("can't use the mountpoint: %w", err)
	}
	return filepath.Join(parent, filepath.Base(dir)), nil
}

// isDead tells whether nobody serves a mount. A stat does not tell: its answer may
// be one that the kernel keeps. A daemon that is merely slow is not waited for.
func isDead(dir string) bool {
	answer := make(chan error, 1)
	go func() { answer <- syscall.Statfs(dir, new(syscall.Statfs_t)) }()
	select {
	case err := <-answer:
		return errors.Is(err, syscall.ENOTCONN)
	case <-time.After(time.Second):
		return false
	}
}

// clearDeadMount detaches what a daemon of ours left behind that did not end
// well: the directory then answers ENOTCONN. Other programs' mounts are theirs.
func clearDeadMount(dir string) error {
	all, err := mounts()
	if err != nil {
		return err
	}
	top, ok := topMount(all, dir)
	if !ok || top.fsType != fsType {
		return fmt.Errorf("mountpoint %s has a dead mount of another program (%s): unmount it first", dir, orUnknown(top.fsType))
	}
	if err := detach(dir, true); err != nil {
		return fmt.Errorf("mountpoint %s has a dead pifs mount that can't be cleared: %w", dir, err)
	}
	return nil
}

func (m mountpoint) check(stores []string) error {
	info, err := os.Stat(m.dir)
	if err != nil {
		return fmt.Errorf("can't use the mountpoint: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("mountpoint %s is not a directory: name an empty one, or one that does not exist", m.dir)
	}
	// fusermount3 wants it so. root may all.
	if os.Geteuid() != 0 && unix.Access(m.dir, unix.W_OK) != nil {
		return fmt.Errorf("mountpoint %s must be writable for you: name another directory", m.dir)
	}
	all, err := mounts()
	if err != nil {
		return err
	}
	if top, ok := topMount(all, m.dir); ok {
		if top.fsType == fsType {
			return fmt.Errorf("pifs is mounted on %s already: use it, or end it with 'pifs unmount %s'", m.dir, m.dir)
		}
		return fmt.Errorf("mountpoint %s has something mounted on it (%s): name another directory", m.dir, top.fsType)
	}
	if err := m.checkStores(stores); err != nil {
		return err
	}
	return m.checkEmpty()
}

// checkStores refuses a mount that would show itself, or hide the store.
func (m mountpoint) checkStores(stores []string) error {
	if store, inside := storeAround(m.dir, stores); inside {
		return fmt.Errorf("mountpoint %s is inside the session store %s: name a directory elsewhere", m.dir, store)
	}
	for _, dir := range stores {
		if store, err := filepath.EvalSymlinks(dir); err == nil && isBelow(store, m.dir) {
			return fmt.Errorf("mountpoint %s would hide the session store %s: name a directory elsewhere", m.dir, store)
		}
	}
	return nil
}

// storeAround returns the store that a path without links is in. Of stores that are
// not there, their opening tells.
func storeAround(path string, stores []string) (store string, inside bool) {
	for _, dir := range stores {
		if store, err := filepath.EvalSymlinks(dir); err == nil && isBelow(path, store) {
			return store, true
		}
	}
	return "", false
}

func (m mountpoint) checkEmpty() error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return fmt.Errorf("can't use the mountpoint: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("mountpoint %s is not empty (%s, …): name an empty directory, or one that does not exist", m.dir, entries[0].Name())
	}
	return nil
}

// remove removes the directory if it was created for the mount. It stays if
// something has been put there.
func (m mountpoint) remove() {
	if m.created {
		syscall.Rmdir(m.dir)
	}
}

// isBelow tells whether path is dir or below it. Both are absolute and clean.
func isBelow(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
