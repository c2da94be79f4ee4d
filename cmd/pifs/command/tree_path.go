package command

import (
	"fmt"
	iofs "io/fs"
	"path"
	"strings"

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

// treePath turns an argument into a path of the tree. It is relative to the
// mount's root, with or without a leading slash.
func treePath(arg string) string {
	if clean := path.Clean("/" + arg)[1:]; clean != "" {
		return clean
	}
	return "."
}

// expand returns the paths of the tree that an argument means: itself, or, if
// there is no such path, those that it matches as a pattern. The shell can't
// expand patterns here, as nothing is mounted.
func expand(tree iofs.FS, arg string) ([]string, error) {
	name := treePath(arg)
	_, err := iofs.Stat(tree, name)
	if err == nil || !strings.ContainsAny(name, "*?[") {
		return []string{name}, err
	}
	matches, err := iofs.Glob(tree, name)
	if err == nil && len(matches) == 0 {
		err = &iofs.PathError{Op: "match", Path: name, Err: iofs.ErrNotExist}
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", name, err)
	}
	return matches, nil
}
