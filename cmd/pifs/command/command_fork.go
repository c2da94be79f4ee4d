package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

type forkOptions struct {
	store storeOptions
	write writeOptions
	cwd   string
}

func (o *forkOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddStoreFlag(flags)
	o.write.AddFlags(flags)
	flags.Var((*dirValue)(&o.cwd), "cwd", "working directory DIR of the new session (default: that of the old one)")
}

func newForkCommand() *cobra.Command {
	var o forkOptions
	cmd := &cobra.Command{
		Use:   "fork SESSION[@ENTRY]",
		Short: "Make a new session from a session, or from a point in it",
		Long: `Makes a new session with all of a session, or with the path to ENTRY alone, and
prints its file, which 'pi --session FILE' continues. The old session is not touched.

The file is put beside the old one; with another --cwd, where the store keeps the
sessions of that directory.

` + sessionHelp,
		Example: `  pifs fork 019a48c5@8b1a8f11
  pi --session "$(pifs fork ~/pi-sessions/home-ada-weather/latest --cwd .)"`,
		GroupID:           groupWrite,
		ValidArgsFunction: o.store.completeSession,
		Args:              takes(1, 1, "SESSION[@ENTRY]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFork(cmd, o, args[0])
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func runFork(cmd *cobra.Command, o forkOptions, arg string) error {
	session, err := o.store.openSessionEntry(cmd.Context(), arg)
	if err != nil {
		return err
	}
	defer session.Close()
	fork := writeback.ForkOptions{Options: o.write.options(), Entry: session.entry}
	if o.cwd != "" {
		if fork.Cwd, err = existingDir(o.cwd); err != nil {
			return err
		}
		if fork.Dir, err = o.store.forkDir(session.Session, fork.Cwd); err != nil {
			return err
		}
	}
	path, err := writeback.Fork(session.Session, fork)
	if errors.Is(err, writeback.ErrUnknownEntry) {
		return session.noEntry()
	}
	if err != nil {
		return session.explain(err)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	return err
}

// existingDir returns the absolute path of a directory that is there.
func existingDir(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", path)
	}
	if err != nil {
		return "", fmt.Errorf("--cwd: %w", err)
	}
	return path, nil
}

// forkDir returns the directory for a fork of a session for the working directory
// cwd: in the store that the session is in, or else in the one that the options
// name. A flat store holds all its sessions itself, others have a directory for
// each cwd. "" leaves it beside the session, whose cwd it is.
func (o storeOptions) forkDir(s *store.Session, cwd string) (string, error) {
	if cwd == s.Cwd() {
		return "", nil
	}
	roots, _, _, err := o.directories(false)
	if err != nil {
		return "", err
	}
	root := roots[0]
	flat := !isNested(root)
	if i := slices.IndexFunc(roots, func(root string) bool { return holds(root, s.Path) }); i >= 0 {
		root = roots[i]
		flat = isSameDir(root, filepath.Dir(s.Path))
	}
	if flat {
		return root, nil
	}
	return filepath.Join(root, filepath.Base(writeback.DefaultSessionDir(cwd))), nil
}

// holds tells whether a file is below a directory, which may be named by a link.
func holds(dir, file string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil && isBelow(file, real) {
		return true
	}
	return isBelow(file, dir)
}

func isSameDir(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// isNested tells whether a store has, or will have, a directory for each cwd.
func isNested(root string) bool {
	if root == filepath.Join(writeback.AgentDir(), "sessions") {
		return true
	}
	entries, err := os.ReadDir(root)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "--") && strings.HasSuffix(e.Name(), "--")
	})
}
