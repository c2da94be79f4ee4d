package command

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the manual pages",
		Long: `Writes the manual pages, one a command, into DIR; without DIR the page of pifs
itself goes to standard output (pifs man | man -l -).`,
		GroupID: groupHelp,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			header := &doc.GenManHeader{Title: "PIFS", Section: "1", Source: "pifs", Manual: "pifs"}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the date would make each build another
			if len(args) == 0 {
				return doc.GenMan(root, header, cmd.OutOrStdout())
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			header.Title = "" // each page takes its command's name
			return doc.GenManTree(root, header, args[0])
		},
	}
}
