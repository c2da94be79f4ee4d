package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type catOptions struct {
	store storeOptions
}

func (o *catOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
}

func newCatCommand() *cobra.Command {
	var o catOptions
	cmd := &cobra.Command{
		Use:   "cat PATH...",
		Short: "Print files of the tree",
		Long: `Prints files of the tree that a mount would show, without a mount. A PATH is
relative to the mount's root, or leads into a mount, and may be a pattern.`,
		Example:           "  pifs cat home-ada-weather/latest/current/context.md\n  pifs cat '*/2*/info.json' | jq -s 'map(.cost.own // .cost.all) | add'",
		GroupID:           groupRead,
		Args:              takes(1, -1, "one PATH or several"),
		ValidArgsFunction: o.store.completePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCat(cmd, o, args)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// runCat prints what it can, and says what it can't.
func runCat(cmd *cobra.Command, o catOptions, args []string) error {
	finder := o.store.newTreeFinder(cmd)
	defer finder.Close()
	return finder.each(cmd, args, func(p treePlace) error { return printFile(cmd.OutOrStdout(), p) })
}

func printFile(w io.Writer, p treePlace) error {
	file, err := p.tree.Open(p.name)
	if err != nil {
		return p.errorOf(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return p.errorOf(err)
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a directory: pifs ls lists it", p.said)
	}
	if _, err = io.Copy(w, file); err != nil {
		return p.errorOf(err)
	}
	return nil
}
