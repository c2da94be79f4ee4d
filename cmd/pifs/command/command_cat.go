package command

import (
	"fmt"
	"io"
	iofs "io/fs"

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
relative to the mount's root, and may be a pattern.`,
		Example:           "  pifs cat home-ada-weather/latest/current/context.md\n  pifs cat '*/2*/info.json' | jq -s 'map(.cost.own // .cost.all) | add'",
		GroupID:           groupRead,
		Args:              cobra.MinimumNArgs(1),
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
	tree, st, err := o.store.openTree(cmd)
	if err != nil {
		return err
	}
	defer st.Close()
	failed := false
	for _, arg := range args {
		names, err := expand(tree, arg)
		for _, name := range names {
			if err == nil {
				err = printFile(cmd.OutOrStdout(), tree, name)
			}
		}
		if err != nil {
			failed = true
			fmt.Fprintf(cmd.ErrOrStderr(), "pifs: %v\n", err)
		}
	}
	if failed {
		return errReported
	}
	return nil
}

func printFile(w io.Writer, tree iofs.FS, name string) error {
	file, err := tree.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a directory: pifs ls lists it", name)
	}
	_, err = io.Copy(w, file)
	return err
}
