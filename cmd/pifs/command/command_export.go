package command

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"
)

type exportOptions struct {
	store storeOptions
}

func (o *exportOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
}

func newExportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the tree as plain files",
		Long: `Writes the tree that a mount would show into DIR, which is created, or must be
empty, and not in the store: for machines without FUSE, archives and CI. Links stay links, and
session.jsonl becomes a copy, so that DIR can be moved as it is.`,
		Example:           "  pifs export /tmp/sessions && rg -g transcript.md 'connection reset' /tmp/sessions",
		GroupID:           groupRead,
		Args:              takes(1, 1, "DIR"),
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExport(cmd, o, args[0])
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func runExport(cmd *cobra.Command, o exportOptions, dir string) error {
	tree, st, _, err := o.store.openFS(cmd.Context(), false)
	if err != nil {
		return err
	}
	defer st.Close()
	st.tellUnreadable(cmd.ErrOrStderr())
	if err := checkOutside(dir, st.dirs); err != nil {
		return withCode(ExitMountpoint, err)
	}
	if err := makeEmptyDir(dir); err != nil {
		return err
	}
	e := exporter{tree: tree, dir: dir, progress: newProgress(cmd.ErrOrStderr(), "files written")}
	defer e.progress.end()
	if err := e.run(); err != nil {
		return fmt.Errorf("the export to %s is not complete: %w", dir, err)
	}
	return nil
}

// checkOutside refuses a directory in a store: the copies of the session files would
// be sessions there.
func checkOutside(dir string, stores []string) error {
	path, err := resolveAncestor(dir)
	if err != nil {
		return err
	}
	if store, inside := storeAround(path, stores); inside {
		return fmt.Errorf("%s is inside the session store %s: name a directory elsewhere", dir, store)
	}
	return nil
}

// resolveAncestor returns the absolute path of what need not be there, with the links
// resolved in as much of it as is there.
func resolveAncestor(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	below := ""
	for dir := path; dir != "/"; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, below), nil
		}
		below = filepath.Join(filepath.Base(dir), below)
	}
	return path, nil
}

// makeEmptyDir creates a directory, or sees that the one that is there is empty.
func makeEmptyDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty (%s, …): name an empty directory, or one that does not exist", dir, entries[0].Name())
	}
	return nil
}

// An exporter writes a tree into a directory.
type exporter struct {
	tree     iofs.FS
	dir      string
	progress *progress
	files    int
	dirs     []writtenDir // in the order of the walk: parents first
}

// A writtenDir gets its mode and time when all in it is written: both would be in
// the way before.
type writtenDir struct {
	path string
	info iofs.FileInfo
}

func (e *exporter) run() error {
	if err := iofs.WalkDir(e.tree, ".", e.write); err != nil {
		return err
	}
	for i := len(e.dirs) - 1; i >= 0; i-- {
		if err := setFacts(e.dirs[i].path, e.dirs[i].info); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) write(name string, entry iofs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	target := filepath.Join(e.dir, filepath.FromSlash(name))
	switch entry.Type() {
	case iofs.ModeDir:
		return e.writeDir(name, target, entry)
	case iofs.ModeSymlink:
		err = e.writeLink(name, target)
	default:
		err = e.writeFile(name, target)
	}
	e.files++
	e.progress.set(e.files, 0)
	return err
}

func (e *exporter) writeDir(name, target string, entry iofs.DirEntry) error {
	if name == "." {
		return nil // it is the user's
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	e.dirs = append(e.dirs, writtenDir{target, info})
	return os.Mkdir(target, 0o700)
}

// writeLink writes a link of the tree as it is. The one that leaves the tree, to
// the session's file in the store, becomes a copy of it.
func (e *exporter) writeLink(name, target string) error {
	to, err := iofs.ReadLink(e.tree, name)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(to) {
		if err := os.Symlink(to, target); err != nil {
			return err
		}
		info, err := iofs.Lstat(e.tree, name)
		if err != nil {
			return err
		}
		return setTime(target, info.ModTime())
	}
	file, err := os.Open(to)
	if err != nil {
		return err
	}
	return copyFile(file, target)
}

func (e *exporter) writeFile(name, target string) error {
	file, err := e.tree.Open(name)
	if err != nil {
		return err
	}
	return copyFile(file, target)
}

// copyFile writes a file with the mode and time of the one it is copied from,
// which it closes.
func copyFile(from iofs.File, target string) (err error) {
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	to, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setFacts(target, info)) }()
	defer func() { err = errors.Join(err, to.Close()) }()
	_, err = io.Copy(to, from)
	return err
}

// setFacts gives a file or directory the time and mode of another.
func setFacts(path string, info iofs.FileInfo) error {
	if err := setTime(path, info.ModTime()); err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}

// setTime sets the time of a path, of a link itself and not of where it leads.
func setTime(path string, at time.Time) error {
	spec := unix.NsecToTimespec(at.UnixNano())
	err := unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{spec, spec}, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return &os.PathError{Op: "utimensat", Path: path, Err: err}
	}
	return nil
}
