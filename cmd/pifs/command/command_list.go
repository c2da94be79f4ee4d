package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

type listOptions struct {
	store storeOptions
	json  bool
}

func (o *listOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

func newListCommand() *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List all sessions, newest first",
		Long:    `Lists all sessions as pi's own picker does: name or first message, messages, dates.`,
		Example: "  pifs list | head\n  pifs list --json | jq -r '.[] | select(.cwd == \"'$PWD'\") | .path'",
		GroupID: groupRead,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runList(cmd, o)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// A listRow is a session as pi's SessionManager.list gives it.
type listRow struct {
	Path          string `json:"path"`
	ID            string `json:"id"`
	Cwd           string `json:"cwd"`
	Name          string `json:"name,omitempty"`
	ParentSession string `json:"parentSessionPath,omitempty"`
	Created       string `json:"created,omitempty"`
	Modified      string `json:"modified"`
	MessageCount  int    `json:"messageCount"`
	FirstMessage  string `json:"firstMessage"`

	modified int64 // Unix milliseconds
}

// title is what a person knows the session by.
func (r listRow) title() string {
	if r.Name != "" {
		return r.Name
	}
	return r.FirstMessage
}

func runList(cmd *cobra.Command, o listOptions) error {
	st, _, err := o.store.open(cmd.Context(), false, store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	rows, failures := listRows(st.Sessions(), newProgress(cmd.ErrOrStderr(), "sessions read"))
	if o.json {
		err = writeJSON(cmd.OutOrStdout(), rows)
	} else {
		err = writeList(cmd.OutOrStdout(), rows)
	}
	if err != nil {
		return err
	}
	for _, failure := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "pifs: %v\n", failure)
	}
	if len(failures) > 0 {
		return errReported
	}
	return nil
}

// listRows reads the sessions, and returns a row for each that can be read.
func listRows(sessions []*store.Session, p *progress) (rows []listRow, failures []error) {
	type read struct {
		row listRow
		err error
	}
	rows = []listRow{}
	count := 0
	eachSession(sessions, func(s *store.Session) read {
		view, err := s.View()
		if err != nil {
			return read{err: fmt.Errorf("%s: %w", s.Path, err)}
		}
		return read{row: newListRow(view)}
	}, func(_ int, r read) {
		if r.err != nil {
			failures = append(failures, r.err)
		} else {
			rows = append(rows, r.row)
		}
		count++
		p.set(count, len(sessions))
	})
	p.end()
	slices.SortFunc(rows, func(a, b listRow) int {
		return cmp.Or(cmp.Compare(b.modified, a.modified), strings.Compare(b.Path, a.Path))
	})
	return rows, failures
}

func newListRow(v *store.View) listRow {
	row := listRow{
		Path:          v.Session.Path,
		ID:            v.Header.ID.Text(),
		Cwd:           v.Session.Cwd(),
		Name:          v.Summary.Name,
		ParentSession: v.Header.ParentSession.Text(),
		Modified:      model.FormatTime(v.Summary.Modified),
		MessageCount:  v.Summary.MessageCount,
		FirstMessage:  v.Summary.FirstMessage,
		modified:      v.Summary.Modified,
	}
	if v.Summary.Created != model.NoTime {
		row.Created = model.FormatTime(v.Summary.Created)
	}
	if row.Name == "" {
		row.Name = v.Summary.Title
	}
	if row.FirstMessage == "" {
		row.FirstMessage = "(no messages)"
	}
	return row
}

// titleWidth is how much of a title a list for people shows.
const titleWidth = 60

func writeList(w io.Writer, rows []listRow) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "MODIFIED\tMESSAGES\tTITLE\tDIRECTORY")
	for _, row := range rows {
		modified := time.UnixMilli(row.modified).Local().Format("2006-01-02 15:04")
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", modified, row.MessageCount, oneLine(row.title(), titleWidth), oneLine(row.Cwd, 1000))
	}
	return table.Flush()
}
