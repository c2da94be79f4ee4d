package command

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/writeback"
)

type nameOptions struct {
	store storeOptions
	write writeOptions
}

func (o *nameOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddStoreFlag(flags)
	o.write.AddFlags(flags)
}

func newNameCommand() *cobra.Command {
	var o nameOptions
	cmd := &cobra.Command{
		Use:               "name SESSION [NAME]",
		Short:             "Print or change a session's name",
		Long:              "Prints the name of a session, or gives it one; an empty NAME clears it.\n\n" + sessionHelp,
		Example:           "  pifs name 019a48c5 'Cache the forecast'\n  pifs name ~/pi-sessions/home-ada-weather/latest",
		GroupID:           groupWrite,
		ValidArgsFunction: o.store.completeSession,
		Args:              checkNameArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runName(cmd, o, args)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// checkNameArgs is takes for a SESSION and a NAME that may be empty.
func checkNameArgs(cmd *cobra.Command, args []string) error {
	check := takes(1, 1, "SESSION and a NAME, or SESSION alone")
	if len(args) != 2 {
		return check(cmd, args)
	}
	if err := checkText(args[1], "name takes one SESSION and a NAME"); err != nil {
		return err
	}
	return check(cmd, args[:1])
}

func runName(cmd *cobra.Command, o nameOptions, args []string) error {
	session, err := o.store.openWholeSession(cmd.Context(), cmd.Name(), args[0])
	if err != nil {
		return err
	}
	defer session.Close()
	if len(args) == 2 {
		return session.explain(writeback.Append(session.Session, o.write.options(), writeback.SetName(args[1])))
	}
	view, err := session.View()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), oneLine(view.Summary.Name, writeback.MaxText))
	return err
}
