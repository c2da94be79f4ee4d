// Package command is the pifs command: each subcommand in a file of its own, as
// an options struct, the flags that fill it, and what it does.
package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Run runs the command with the arguments that follow its name, and returns its
// exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := NewRoot()
	// Arguments and flags are checked before PersistentPreRunE: what fails
	// earlier, or there, is a matter of usage, whatever its type.
	begun := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		err := checkFlags(cmd.Flags())
		if begun = err == nil; begun {
			tellIgnoredSettings(cmd)
		}
		return err
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.InitDefaultCompletionCmd() // it takes note of where output goes
	describeCompletion(root)
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errReported):
		return exitCode(err)
	case !begun:
		fmt.Fprintf(stderr, "pifs: %v\nSee '%s --help'.\n", err, cmd.CommandPath())
		return ExitUsage
	default:
		fmt.Fprintf(stderr, "pifs: %v\n", err)
		return exitCode(err)
	}
}

// NewRoot returns the command with all its subcommands.
func NewRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "pifs",
		Short: "Mount pi's sessions as directories and files",
		Long: `Pifs shows the sessions of the pi coding agent as directories and files, to be
read, searched, compared and fed to other programs with the tools you have.`,
		Version:       buildVersion().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetUsageTemplate(root.UsageTemplate() + exitHelp)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.InitDefaultVersionFlag() // or the manual would not have it
	root.AddGroup(
		&cobra.Group{ID: groupMount, Title: "With a mount:"},
		&cobra.Group{ID: groupRead, Title: "Without a mount:"},
		&cobra.Group{ID: groupWrite, Title: "Changes, without a mount:"},
		&cobra.Group{ID: groupHelp, Title: "About:"},
	)
	root.SetCompletionCommandGroupID(groupHelp)
	root.SetHelpCommandGroupID(groupHelp)
	root.AddCommand(
		newMountCommand(),
		newUnmountCommand(),
		newListCommand(),
		newLsCommand(),
		newCatCommand(),
		newExportCommand(),
		newCheckCommand(),
		newNameCommand(),
		newLabelCommand(),
		newForkCommand(),
		newRmCommand(),
		newDoctorCommand(),
		newManCommand(),
		newVersionCommand(),
	)
	for _, cmd := range root.Commands() {
		completeFlags(cmd)
	}
	return root
}

// exitHelp ends the help of pifs itself.
var exitHelp = func() string {
	var b strings.Builder
	b.WriteString("{{if not .HasParent}}\nExit codes:\n")
	for code, meaning := range exitMeanings {
		fmt.Fprintf(&b, "  %d  %s\n", code, meaning)
	}
	b.WriteString("{{end}}")
	return b.String()
}()

// describeCompletion says how completions are used, and makes a shell that there are
// none for an error of usage. Cobra would print its help and call that a success.
func describeCompletion(root *cobra.Command) {
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // there is none in a program without subcommands
	}
	completion.Short = "Print completions for a shell"
	completion.Long = completionHelp
	completion.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("no completions for %q: bash, fish, powershell and zsh have them", args[0])
		}
		return nil
	}
	for _, shell := range completion.Commands() {
		shell.Args = noArgs
	}
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

const completionHelp = `Prints a script that has a shell complete commands, sessions, labels and paths. For
the shell that runs:

    source <(pifs completion bash)
    source <(pifs completion zsh)
    pifs completion fish | source

For all to come, put that line into ~/.bashrc, ~/.zshrc (after compinit) or
~/.config/fish/config.fish. Bash needs the package bash-completion for it: without,
it prints errors at each TAB.`

const (
	groupMount = "mount"
	groupRead  = "read"
	groupWrite = "write"
	groupHelp  = "help"
)
