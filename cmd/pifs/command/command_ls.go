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
	flags.BoolVarP(&o.long, "long", "l", false, "show mode, size, time and where links go")
	flags.BoolVarP(&o.all, "all", "a", false, "show .pifs too")
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

func newLsCommand() *cobra.Command {
	var o lsOptions
	cmd := &cobra.Command{
		Use:   "ls [PATH...]",
		Short: "List a directory of the tree",
		Long: `Lists directories of the tree that a mount would show, without a mount. A PATH is
relative to the mount's root, and may be a pattern.`,
		Example:           "  pifs ls\n  pifs ls -l 'home-ada-weather/latest/branches/*'",
		GroupID:           groupRead,
		ValidArgsFunction: o.store.completePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLs(cmd, o, args)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func runLs(cmd *cobra.Command, o lsOptions, args []string) error {
	tree, st, err := o.store.openTree(cmd)
	if err != nil {
		return err
	}
	defer st.Close()
	st.tellUnreadable(cmd.ErrOrStderr())
	if len(args) == 0 {
		args = []string{"."}
	}
	var lists []listing
	for _, arg := range args {
		names, err := expand(tree, arg)
		if err != nil {
			return err
		}
		for _, name := range names {
			rows, err := list(tree, name, o)
			if err != nil {
				return err
			}
			lists = append(lists, listing{name, rows})
		}
	}
	return writeListings(cmd.OutOrStdout(), lists, o)
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
	Mtime  string `json:"mtime"` // RFC 3339
	Target string `json:"target,omitempty"`
}

// list returns the rows of a directory, or of what is no directory itself.
func list(tree iofs.FS, name string, o lsOptions) ([]lsRow, error) {
	info, err := iofs.Stat(tree, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		row, err := newLsRow(tree, name, o)
		return []lsRow{row}, err
	}
	entries, err := iofs.ReadDir(tree, name)
	if err != nil {
		return nil, err
	}
	var rows []lsRow
	if _, err := iofs.Lstat(tree, hiddenDir); name == "." && o.all && err == nil {
		row, err := newLsRow(tree, hiddenDir, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	for _, entry := range entries {
		row, err := newLsRow(tree, path.Join(name, entry.Name()), o)
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
	row := lsRow{Path: name, Name: path.Base(name)}
	if !o.long && !o.json {
		return row, nil
	}
	info, err := iofs.Lstat(tree, name)
	if err != nil {
		return row, err
	}
	row.Mode = strings.ToLower(info.Mode().String()) // ls writes a link's L as l
	row.Size, row.Mtime = info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano)
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

func writeListings(w io.Writer, lists []listing, o lsOptions) error {
	if o.json {
		rows := []lsRow{}
		for _, l := range lists {
			rows = append(rows, l.rows...)
		}
		return writeJSON(w, rows)
	}
	for i, l := range lists {
		if len(lists) > 1 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s:\n", l.path)
		}
		if err := writeRows(w, l.rows, o); err != nil {
			return err
		}
	}
	return nil
}

func writeRows(w io.Writer, rows []lsRow, o lsOptions) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		if !o.long {
			fmt.Fprintln(w, row.Name)
			continue
		}
		name := row.Name
		if row.Target != "" {
			name += " -> " + row.Target
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t %s\n", row.Mode, row.Size, row.Mtime[:len("2006-01-02T15:04:05")], name)
	}
	return table.Flush()
}
