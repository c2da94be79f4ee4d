package command

import (
	"fmt"
	"io"
	iofs "io/fs"
	"path"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type lsOptions struct {
	store storeOptions
	long  bool
	all   bool
	json  bool
}

func (o *lsOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
	flags.BoolVarP(&o.long, "long", "l", false, "show mode, size, local time and where links go")
	flags.BoolVarP(&o.all, "all", "a", false, "show .pifs too")
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

func newLsCommand() *cobra.Command {
	var o lsOptions
	cmd := &cobra.Command{
		Use:   "ls [PATH...]",
		Short: "List a directory of the tree",
		Long: `Lists directories of the tree that a mount would show, without a mount. A PATH is
relative to the mount's root, or leads into a mount, and may be a pattern. Files
come before the contents of directories.`,
		Example:           "  pifs ls\n  pifs ls -l 'home-ada-weather/latest/branches/*'",
		GroupID:           groupRead,
		Args:              takes(0, -1, "any number of PATHs"),
		ValidArgsFunction: o.store.completePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLs(cmd, o, args)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// runLs lists what it can, and says what it can't: the files among the paths first,
// together, as ls does.
func runLs(cmd *cobra.Command, o lsOptions, args []string) error {
	finder := o.store.newTreeFinder(cmd)
	defer finder.Close()
	if len(args) == 0 {
		args = []string{"/"}
	}
	var files listing
	var dirs []listing
	failed := finder.each(cmd, args, func(p treePlace) error { return o.list(p, &files, &dirs) })
	if failed != nil && failed != errReported {
		return failed
	}
	if finder.store != nil {
		finder.store.tellUnreadable(cmd.ErrOrStderr())
	}
	if err := writeListings(cmd.OutOrStdout(), files, dirs, o); err != nil {
		return err
	}
	return failed
}

// A listing is what `ls` shows of one path.
type listing struct {
	path string
	rows []lsRow
}

// An lsRow is a line of a listing. Mode to Target are filled where they are shown:
// a size can cost the making of the file.
type lsRow struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Type   string `json:"type"` // file, directory or link
	Mode   string `json:"mode"`
	Size   int64  `json:"size"`
	Mtime  string `json:"mtime"` // RFC 3339, UTC
	Target string `json:"target,omitempty"`

	shown    string // the name in a listing for people
	modified string // the local time in it
}

// list adds a directory to dirs, and what is none to files.
func (o lsOptions) list(p treePlace, files *listing, dirs *[]listing) error {
	info, err := iofs.Stat(p.tree, p.name)
	if err != nil {
		return p.errorOf(err)
	}
	if !info.IsDir() {
		row, err := newLsRow(p.tree, p.name, o)
		if err != nil {
			return p.errorOf(err)
		}
		row.shown = p.said
		files.rows = append(files.rows, row)
		return nil
	}
	rows, err := listDir(p.tree, p.name, o)
	if err != nil {
		return p.errorOf(err)
	}
	*dirs = append(*dirs, listing{p.said, rows})
	return nil
}

// listDir returns the rows of a directory.
func listDir(tree iofs.FS, name string, o lsOptions) ([]lsRow, error) {
	entries, err := iofs.ReadDir(tree, name)
	if err != nil {
		return nil, err
	}
	var names []string
	if _, err := iofs.Lstat(tree, hiddenDir); name == "." && o.all && err == nil {
		names = append(names, hiddenDir)
	}
	for _, entry := range entries {
		names = append(names, path.Join(name, entry.Name()))
	}
	var rows []lsRow
	for _, name := range names {
		row, err := newLsRow(tree, name, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// hiddenDir stands in the tree's root without being listed.
const hiddenDir = ".pifs"

func newLsRow(tree iofs.FS, name string, o lsOptions) (lsRow, error) {
	row := lsRow{Path: name, Name: path.Base(name), shown: path.Base(name)}
	if !o.long && !o.json {
		return row, nil
	}
	info, err := iofs.Lstat(tree, name)
	if err != nil {
		return row, err
	}
	row.Mode = strings.ToLower(info.Mode().String()) // ls writes a link's L as l
	row.Size, row.Mtime = info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano)
	row.modified = info.ModTime().Local().Format("2006-01-02T15:04:05")
	switch info.Mode().Type() {
	case iofs.ModeDir:
		row.Type = "directory"
	case iofs.ModeSymlink:
		row.Type = "link"
		row.Target, err = iofs.ReadLink(tree, name)
	default:
		row.Type = "file"
	}
	return row, err
}

func writeListings(w io.Writer, files listing, dirs []listing, o lsOptions) error {
	if o.json {
		rows := append([]lsRow{}, files.rows...)
		for _, dir := range dirs {
			rows = append(rows, dir.rows...)
		}
		return writeJSON(w, rows)
	}
	if err := writeRows(w, files.rows, o); err != nil {
		return err
	}
	several := len(dirs) > 1 || len(files.rows) > 0
	for i, dir := range dirs {
		if i > 0 || len(files.rows) > 0 {
			fmt.Fprintln(w)
		}
		if several {
			fmt.Fprintf(w, "%s:\n", dir.path)
		}
		if err := writeRows(w, dir.rows, o); err != nil {
			return err
		}
	}
	return nil
}

func writeRows(w io.Writer, rows []lsRow, o lsOptions) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		if !o.long {
			fmt.Fprintln(w, row.shown)
			continue
		}
		name := row.shown
		if row.Target != "" {
			name += " -> " + row.Target
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t %s\n", row.Mode, row.Size, row.modified, name)
	}
	return table.Flush()
}
