package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/store"
)

type checkOptions struct {
	store storeOptions
	json  bool
}

func (o *checkOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

func newCheckCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what is wrong in session files",
		Long: `Reads all sessions and says what is odd in them: damaged lines, entries without a
parent, files that are no sessions. It changes nothing. Ends with code 6 if it
found something.`,
		GroupID: groupRead,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runCheck(cmd, o)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// A problem is something wrong in a file.
type problem struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"` // from 1; 0 if it is about the whole file
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p problem) String() string {
	where := oneLine(p.Path, 4096)
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
	}
	return fmt.Sprintf("%s: %s: %s", where, p.Code, oneLine(p.Message, 1000))
}

func runCheck(cmd *cobra.Command, o checkOptions) error {
	st, _, err := o.store.open(cmd.Context(), false, store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	problems, err := findProblems(cmd.Context(), st.Store, newProgress(cmd.ErrOrStderr(), "sessions checked"))
	if err != nil {
		return err
	}
	if err := writeProblems(cmd.OutOrStdout(), problems, o.json); err != nil {
		return err
	}
	sessions := count(len(st.Sessions()), "session", "sessions")
	if len(problems) > 0 {
		return withCode(ExitProblems, fmt.Errorf("%s in %s and %s", count(len(problems), "problem", "problems"), sessions, count(len(st.Skipped()), "other file", "other files")))
	}
	if o.json {
		return nil
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s, nothing odd\n", sessions)
	return err
}

// findProblems returns what is wrong, by file and line.
func findProblems(ctx context.Context, st *store.Store, p *progress) ([]problem, error) {
	defer p.end()
	problems := []problem{}
	for _, skipped := range st.Skipped() {
		code := "no-session"
		if skipped.Unreadable {
			code = "unreadable"
		}
		problems = append(problems, problem{Path: skipped.Path, Code: code, Message: skipped.Reason})
	}
	count, total := 0, len(st.Sessions())
	err := st.ScanAll(ctx, runtime.GOMAXPROCS(0), func(s *store.Session, view *store.View, err error) {
		problems = append(problems, sessionProblems(s, view, err)...)
		count++
		p.set(count, total)
	})
	slices.SortFunc(problems, func(a, b problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	return problems, err
}

func sessionProblems(s *store.Session, view *store.View, err error) (problems []problem) {
	if err != nil {
		return []problem{{Path: s.Path, Code: "unreadable", Message: err.Error()}}
	}
	for _, note := range view.Notes() {
		problems = append(problems, problem{s.Path, note.Line, note.Code, note.Message})
	}
	return problems
}

func writeProblems(w io.Writer, problems []problem, asJSON bool) error {
	if asJSON {
		return writeJSON(w, problems)
	}
	for _, p := range problems {
		if _, err := fmt.Fprintln(w, p); err != nil {
			return err
		}
	}
	return nil
}
