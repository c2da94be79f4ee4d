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
parent, files that are no sessions, or have one session id. It changes nothing. Ends with code 6 if it
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
	problems = append(problems, sameIDs(st.Sessions())...)
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

// sameIDs names the sessions that others have the id of: what asks for it by that
// finds only one of them.
func sameIDs(sessions []*store.Session) (problems []problem) {
	having := map[string][]*store.Session{}
	for _, s := range sessions {
		if id := s.Header().ID.Text(); id != "" {
			having[id] = append(having[id], s)
		}
	}
	for id, same := range having {
		slices.SortFunc(same, func(a, b *store.Session) int { return strings.Compare(a.Path, b.Path) })
		for i, s := range same {
			if len(same) == 1 {
				break
			}
			other := same[0].Path
			if i == 0 {
				other = same[1].Path
			}
			if more := len(same) - 2; more > 0 {
				other += " and " + count(more, "more file", "more files")
			}
			problems = append(problems, problem{Path: s.Path, Code: "same-id", Message: fmt.Sprintf("the session id %s is that of %s too", id, other)})
		}
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
