package command

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/writeback"
)

type rmOptions struct {
	store storeOptions
}

func (o *rmOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddStoreFlag(flags)
}

func newRmCommand() *cobra.Command {
	var o rmOptions
	cmd := &cobra.Command{
		Use:   "rm SESSION...",
		Short: "Delete sessions",
		Long: `Deletes sessions as pi does: by the command 'trash' if there is one, for good if
there is none. Says which it was.

` + sessionHelp,
		GroupID:           groupWrite,
		ValidArgsFunction: o.store.completeSessions,
		Args:              takes(1, -1, "one SESSION or several"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				if err := runRm(cmd, o, arg); err != nil {
					return err
				}
			}
			return nil
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func runRm(cmd *cobra.Command, o rmOptions, arg string) error {
	if _, below, ok := sessionFile(arg); ok && below != "" {
		return fmt.Errorf("%s is only a part of a session, and rm deletes whole ones", arg)
	}
	session, err := o.store.openWholeSession(cmd.Context(), cmd.Name(), arg)
	if err != nil {
		return err
	}
	defer session.Close()
	trashed, err := writeback.Delete(cmd.Context(), session.Session)
	if err != nil {
		return err
	}
	done := "deleted"
	if trashed {
		done = "moved to the trash:"
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), done, session.Path)
	return err
}
