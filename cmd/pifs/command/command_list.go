package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
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
func (r listRow) title() string { return cmp.Or(r.Name, r.FirstMessage) }

func runList(cmd *cobra.Command, o listOptions) error {
	st, _, err := o.store.open(cmd.Context(), false, store.Options{Memory: memoryFile()})
	if err != nil {
		return err
	}
	defer st.Close()
	st.tellUnreadable(cmd.ErrOrStderr())
	digests, failures, err := readAll(cmd.Context(), st.Store, newProgress(cmd.ErrOrStderr(), "sessions read"))
	if err != nil {
		return err
	}
	store.SortAsPi(digests)
	rows := make([]listRow, len(digests))
	for i, digest := range digests {
		if rows[i], err = newListRow(digest, o.json); err != nil {
			return err
		}
	}
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

// readAll makes the digests of all sessions. Those that can't be made are failures.
func readAll(ctx context.Context, st *store.Store, p *progress) (digests []store.Digest, failures []error, err error) {
	defer p.end()
	total := len(st.Sessions())
	err = st.DigestAll(ctx, runtime.GOMAXPROCS(0), func(s *store.Session, d store.Digest, err error) {
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", s.Path, err))
		} else {
			digests = append(digests, d)
		}
		p.set(len(digests)+len(failures), total)
	})
	return digests, failures, err
}

// newListRow returns the row of a session; whole, with all of its first message.
func newListRow(d store.Digest, whole bool) (listRow, error) {
	row := listRow{
		Path:          d.Session.Path,
		ID:            d.Header().ID.Text(),
		Cwd:           d.Session.Cwd(),
		Name:          cmp.Or(d.Summary.Name, d.Summary.Title),
		ParentSession: d.Header().ParentSession.Text(),
		Modified:      model.FormatTime(d.Summary.Modified),
		MessageCount:  d.Summary.MessageCount,
		FirstMessage:  d.Summary.FirstMessage,
		modified:      d.Summary.Modified,
	}
	if d.Summary.Created != model.NoTime {
		row.Created = model.FormatTime(d.Summary.Created)
	}
	var err error
	if whole {
		row.FirstMessage, err = d.FirstMessage()
	}
	row.FirstMessage = cmp.Or(row.FirstMessage, "(no messages)")
	return row, err
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
