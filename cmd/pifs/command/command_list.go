package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"
	"unicode/utf8"

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
		Use:   "list",
		Short: "List all sessions, newest first",
		Long: `Lists all sessions as pi's own picker does: name or first message, messages, dates.
The first column is the beginning of the id, as far as it takes to name the session
to other commands; where several have that id, the file's name or path.`,
		Example: "  pifs list | head\n  pifs list --json | jq -r '.[] | select(.cwd == \"'$PWD'\") | .path'",
		GroupID: groupRead,
		Args:    noArgs,
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

	modified int64  // Unix milliseconds
	short    string // names it to other commands
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
	ids := newSessionIDs(st.Sessions())
	rows := make([]listRow, len(digests))
	for i, digest := range digests {
		if rows[i], err = newListRow(digest, o.json); err != nil {
			return err
		}
		rows[i].short = ids.short(digest.Session)
	}
	if o.json {
		err = writeJSON(cmd.OutOrStdout(), rows)
	} else {
		err = writeList(cmd.OutOrStdout(), rows, terminalWidth(cmd.OutOrStdout()))
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

// How wide columns are, in characters.
const (
	titleWidth  = 60 // of a title, at most
	narrowest   = 12 // of a title or directory, however narrow the terminal is
	columnSpace = 2
)

// writeList writes the rows for people, no wider than width if that is not 0.
func writeList(w io.Writer, rows []listRow, width int) error {
	title, directory := columnWidths(rows, width)
	table := tabwriter.NewWriter(w, 0, 8, columnSpace, ' ', 0)
	fmt.Fprintln(table, "SESSION\tMODIFIED\tMESSAGES\tTITLE\tDIRECTORY")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\n", oneLine(row.short, 4096), row.date(), row.MessageCount,
			oneLine(row.title(), title), endOfLine(oneLine(row.Cwd, 1000), directory))
	}
	return table.Flush()
}

func (r listRow) date() string { return time.UnixMilli(r.modified).Local().Format("2006-01-02 15:04") }

// columnWidths returns how much of titles and directories fits beside the rest.
func columnWidths(rows []listRow, width int) (title, directory int) {
	session := len("SESSION")
	title, directory = len("TITLE"), len("DIRECTORY")
	for _, row := range rows {
		session = max(session, utf8.RuneCountInString(row.short))
		title = max(title, utf8.RuneCountInString(oneLine(row.title(), titleWidth)))
		directory = max(directory, utf8.RuneCountInString(oneLine(row.Cwd, 1000)))
	}
	if width == 0 {
		return title, directory
	}
	room := width - session - len("2006-01-02 15:04") - len("MESSAGES") - 4*columnSpace
	directory = max(narrowest, min(directory, room*2/5), room-title)
	return max(narrowest, min(title, room-directory)), directory
}

// endOfLine returns the end of a line of which no more than width characters fit:
// of a directory it tells most.
func endOfLine(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	characters := []rune(line)
	return "…" + string(characters[len(characters)-width+1:])
}
