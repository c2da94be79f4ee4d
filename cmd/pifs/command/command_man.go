package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the manual pages",
		Long: `Writes the manual pages, one a command, into DIR; without DIR the page of pifs
itself goes to standard output (pifs man | man -l -).`,
		GroupID: groupHelp,
		Args:    takes(0, 1, "DIR, or nothing"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true // the date would make each build another
			if len(args) == 0 {
				page, err := manPage(root)
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(page)
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManPages(root, args[0])
		},
	}
}

// writeManPages writes the pages of a command and of those below it.
func writeManPages(root *cobra.Command, dir string) error {
	todo := []*cobra.Command{root}
	for len(todo) > 0 {
		cmd := todo[0]
		todo = todo[1:]
		page, err := manPage(cmd)
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o644); err != nil {
			return err
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				todo = append(todo, sub)
			}
		}
	}
	return nil
}

// flagDefault is what Cobra writes after a flag that is off by default.
var flagDefault = regexp.MustCompile(`\\fP\[=false\]\n`)

// manPage returns the manual page of a command.
func manPage(cmd *cobra.Command) ([]byte, error) {
	var b bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Source: "pifs", Manual: "pifs"}
	if err := doc.GenMan(cmd, header, &b); err != nil {
		return nil, err
	}
	page := flagDefault.ReplaceAll(b.Bytes(), []byte("\\fP\n"))
	page = nameValues(page, cmd.Flags())
	if cmd.HasAvailableSubCommands() {
		page = bytes.Replace(page, []byte(cmd.CommandPath()+" [flags]"), []byte(cmd.CommandPath()+" COMMAND"), 1)
	}
	if cmd.HasParent() {
		return page, nil
	}
	before, after, _ := bytes.Cut(page, []byte(".SH SEE ALSO\n"))
	return fmt.Appendf(nil, "%s%s.SH SEE ALSO\n%s", before, manOfAll(cmd), after), nil
}

// nameValues writes after each flag that has a value what that is, and not its default,
// which follows the description.
func nameValues(page []byte, flags *pflag.FlagSet) []byte {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" {
			return // it stands alone, as of a switch
		}
		value, _ := pflag.UnquoteUsage(f)
		after := ""
		if f.DefValue != "" {
			after = " (default " + f.DefValue + ")"
		}
		item := regexp.MustCompile(`(\\fB--` + regexp.QuoteMeta(f.Name) + `\\fP)=[^\n]*\n\t([^\n]*)\n`)
		page = item.ReplaceAll(page, []byte(`${1}=\fI`+value+`\fP`+"\n\t${2}"+after+"\n"))
	})
	return page
}

// manOfAll returns what holds for all commands, for the page of pifs itself.
func manOfAll(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(".SH COMMANDS\n")
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, ".SS %s\n", strings.TrimSuffix(group.Title, ":"))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				manItem(&b, root.Name()+" "+cmd.Use, cmd.Short)
			}
		}
	}
	b.WriteString("\n.SH ENVIRONMENT\n")
	for _, item := range environment {
		manItem(&b, item.name, item.does)
	}
	b.WriteString("\n.SH FILES\n")
	for _, item := range usedFiles {
		manItem(&b, item.name, item.does)
	}
	b.WriteString("\n.SH EXIT STATUS\n")
	for code, meaning := range exitMeanings {
		manItem(&b, fmt.Sprint(code), meaning)
	}
	b.WriteString("\n")
	return b.String()
}

func manItem(b *strings.Builder, name, does string) {
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`)
	fmt.Fprintf(b, ".TP\n\\fB%s\\fP\n%s\n", escape.Replace(name), escape.Replace(does))
}

// A manual is a thing with what there is to know of it.
type manual struct{ name, does string }

var environment = []manual{
	{"PI_CODING_AGENT_SESSION_DIR", "the session store, where no --store names one"},
	{"PI_CODING_AGENT_DIR", "pi's directory, in which settings.json may name the store (sessionDir), and sessions is it otherwise; default: ~/.pi/agent"},
	{"XDG_CACHE_HOME, XDG_STATE_HOME", "where pifs keeps its own files; default: ~/.cache, ~/.local/state"},
	{"NOTIFY_SOCKET", "told when a mount in the foreground is ready (sd_notify(3))"},
}

var usedFiles = []manual{
	{"~/pi-sessions", "the mountpoint, where none is named"},
	{"~/.pi/agent/sessions", "where pi keeps its sessions"},
	{"~/.cache/pifs/sessions.json", "what lists tell of sessions that nobody has written to since; may be deleted at any time"},
	{"~/.cache/pifs/index", "where the entries of session files stand, so that files are not scanned again; may be deleted at any time"},
	{"~/.local/state/pifs/crash.log", "the report of a daemon that crashed"},
	{"MOUNTPOINT/.pifs", "version, stats.json, skipped (files that are no sessions, and why) and log of a mount; not listed"},
}
