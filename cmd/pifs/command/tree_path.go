package command

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// openTree is openFS for commands that look: where nothing is named they show the
// sample instead of no store, as mount does, and say so. The caller closes the store.
func (o storeOptions) openTree(cmd *cobra.Command) (iofs.FS, *openStore, error) {
	tree, st, why, err := o.openFS(cmd.Context(), true)
	if err == nil && why != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "pifs: %s\n", why)
	}
	return tree, st, err
}

// A treePlace is a path in a tree.
type treePlace struct {
	tree iofs.FS
	name string
	said string // how it is called to the user

	mountpoint string // of the mount that it is in, "" without one
}

// errorOf says what is wrong at a place, as a shell's programs do.
func (p treePlace) errorOf(err error) error {
	var at *iofs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		err = errors.New("no such file or directory")
	case p.mountpoint != "" && errors.Is(err, syscall.ENOTCONN):
		err = deadMountError(p.mountpoint)
	}
	return fmt.Errorf("%s: %w", p.said, err)
}

func deadMountError(mountpoint string) error {
	return fmt.Errorf("the daemon of this mount is dead: pifs unmount %s", mountpoint)
}

// A treeFinder finds the places that arguments mean: below a mount of ours, or in the
// tree of the store, which it opens for the first of them.
type treeFinder struct {
	open   func() (iofs.FS, *openStore, error)
	mounts []mountEntry
	tree   iofs.FS
	store  *openStore
}

func (o storeOptions) newTreeFinder(cmd *cobra.Command) *treeFinder {
	all, err := mounts()
	if err != nil {
		all = nil // then there is no mount to look into
	}
	return &treeFinder{open: func() (iofs.FS, *openStore, error) { return o.openTree(cmd) }, mounts: all}
}

func (f *treeFinder) Close() {
	if f.store != nil {
		f.store.Close()
	}
}

// find returns the places that an argument means: a path in a mount, a path of the
// tree, or, if there is no such path, those that it matches as a pattern. The shell
// can't expand patterns where nothing is mounted.
func (f *treeFinder) find(arg string) (places []treePlace, err error) {
	if p, ok := f.mounted(arg); ok {
		return []treePlace{p}, nil
	}
	if f.tree == nil {
		if f.tree, f.store, err = f.open(); err != nil {
			return nil, err
		}
	}
	names, err := expand(f.tree, arg)
	for _, name := range names {
		places = append(places, treePlace{tree: f.tree, name: name, said: name})
	}
	return places, err
}

// each calls f with the places that the arguments mean, and says on the command's
// standard error what can't be found and what f can't do; errReported then. It goes on
// with the next argument, unless there is no store, or nobody who reads.
func (t *treeFinder) each(cmd *cobra.Command, args []string, f func(treePlace) error) error {
	var reported error
	for _, arg := range args {
		places, err := t.find(arg)
		if t.store == nil && err != nil {
			return err
		}
		for _, p := range places {
			if err == nil {
				err = f(p)
			}
		}
		if errors.Is(err, syscall.EPIPE) {
			return err // nobody reads on
		}
		if err != nil {
			reported = errReported
			fmt.Fprintf(cmd.ErrOrStderr(), "pifs: %v\n", err)
		}
	}
	return reported
}

// mounted returns the place of a path that is in a mount of ours.
func (f *treeFinder) mounted(arg string) (p treePlace, ok bool) {
	path, mountpoint, ok := mountOf(f.mounts, arg)
	if !ok {
		return p, false
	}
	name, err := filepath.Rel(mountpoint, path)
	if err != nil {
		return p, false
	}
	return treePlace{os.DirFS(mountpoint), name, filepath.Clean(arg), mountpoint}, true
}

// mountOf returns the mount of ours that a path leads into, and the absolute path
// there. The path is there, or its mount is dead.
func mountOf(mounts []mountEntry, path string) (abs, mountpoint string, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", "", false
	}
	if _, err := os.Lstat(abs); err != nil && !errors.Is(err, syscall.ENOTCONN) {
		return "", "", false
	}
	candidates := []string{abs}
	if real, err := resolveAncestor(abs); err == nil {
		candidates = append(candidates, real)
	}
	for _, candidate := range candidates {
		for _, m := range mounts {
			if m.fsType == fsType && isBelow(candidate, m.mountpoint) {
				return candidate, m.mountpoint, true
			}
		}
	}
	return "", "", false
}

// treePath turns an argument into a path of the tree. It is relative to the
// mount's root, with or without a leading slash.
func treePath(arg string) string {
	if clean := path.Clean("/" + arg)[1:]; clean != "" {
		return clean
	}
	return "."
}

// expand returns the paths of the tree that an argument means: itself, or, if there
// is no such path, those that it matches as a pattern.
func expand(tree iofs.FS, arg string) ([]string, error) {
	name := treePath(arg)
	_, err := iofs.Stat(tree, name)
	if err == nil {
		return []string{name}, nil
	}
	if !strings.ContainsAny(name, "*?[") {
		return nil, treePlace{said: arg}.errorOf(err)
	}
	matches, err := iofs.Glob(tree, name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is no pattern: %w", arg, err)
	case len(matches) == 0:
		return nil, fmt.Errorf("nothing matches %s", arg)
	}
	return matches, nil
}
