package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	flags.StringVar(&o.cwd, "cwd", "", "working directory `DIR` of the new session (default: that of the old one)")
}

func newForkCommand() *cobra.Command {
	var o forkOptions
	cmd := &cobra.Command{
		Use:   "fork SESSION[@ENTRY]",
		Short: "Make a new session from a session, or from a point in it",
		Long: `Makes a new session with all of a session, or with the path to ENTRY alone, and
prints its file, which 'pi --session FILE' continues. The old session is not touched.

` + sessionHelp,
		Example: `  pifs fork 019a48c5@8b1a8f11
  pi --session "$(pifs fork ~/pi-sessions/home-ada-weather/latest --cwd .)"`,
		GroupID: groupWrite,
		Args:    cobra.ExactArgs(1),
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
		if fork.Cwd, err = filepath.Abs(o.cwd); err != nil {
			return err
		}
	}
	path, err := writeback.Fork(session.Session, fork)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	return err
}
