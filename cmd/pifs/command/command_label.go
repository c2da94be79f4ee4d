package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

type labelOptions struct {
	store  storeOptions
	write  writeOptions
	clear  bool
	rename bool
	json   bool
}

func (o *labelOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddStoreFlag(flags)
	o.write.AddFlags(flags)
	flags.BoolVarP(&o.clear, "clear", "d", false, "take LABEL from all entries that have it")
	flags.BoolVarP(&o.rename, "rename", "m", false, "give the entries labelled LABEL the label NEW")
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

func newLabelCommand() *cobra.Command {
	var o labelOptions
	cmd := &cobra.Command{
		Use:   "label SESSION[@ENTRY] [LABEL [NEW]]",
		Short: "Print or change a session's labels",
		Long: `Prints the labels of a session, or that of the entry whose id is ENTRY. Or gives
LABEL to that entry, without ENTRY to the one where pi would resume. An entry has
one label.

` + sessionHelp,
		Example: `  pifs label 019a48c5
  pifs label 019a48c5@8b1a8f11 works
  pifs label ~/pi-sessions/home-ada-weather/latest/branches/8b1a8f11 works
  pifs label --rename 019a48c5 works good
  pifs label --clear 019a48c5 good`,
		GroupID:           groupWrite,
		ValidArgsFunction: o.completeLabel,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLabel(cmd, o, args)
		},
	}
	cmd.Args = func(_ *cobra.Command, args []string) error { return o.checkArgs(args) }
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *labelOptions) checkArgs(args []string) error {
	switch {
	case o.clear && o.rename:
		return errors.New("--clear and --rename can't be used together")
	case o.clear && len(args) != 2:
		return errors.New("--clear takes SESSION LABEL")
	case o.rename && len(args) != 3:
		return errors.New("--rename takes SESSION LABEL NEW")
	case !o.rename && (len(args) < 1 || len(args) > 2):
		return errors.New("label takes SESSION[@ENTRY] and a LABEL, or SESSION alone")
	case args[0] == "":
		return errors.New("an argument is empty: SESSION names a session")
	case len(args) > 1 && args[len(args)-1] == "":
		return errors.New("a label is not empty; --clear takes one away")
	case len(args) == 1 || o.clear:
		return nil
	case strings.TrimSpace(args[len(args)-1]) == "":
		return errors.New("a label is not blank; --clear takes one away")
	case o.rename:
		return checkText(args[2], "--rename takes one SESSION, LABEL and NEW")
	}
	return checkText(args[1], "label takes one SESSION and a LABEL")
}

func runLabel(cmd *cobra.Command, o labelOptions, args []string) error {
	session, err := o.open(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	defer session.Close()
	if len(args) == 1 {
		return o.print(cmd.OutOrStdout(), session)
	}
	err = writeback.Append(session.Session, o.write.options(), o.plan(session.entry, args[1:]))
	if errors.Is(err, writeback.ErrUnknownEntry) {
		return o.explain(err, session, args[1])
	}
	return session.explain(err)
}

// open opens the session, and the entry if it is about one.
func (o labelOptions) open(ctx context.Context, arg string) (sessionRef, error) {
	switch {
	case o.clear:
		return o.store.openWholeSession(ctx, "label --clear", arg)
	case o.rename:
		return o.store.openWholeSession(ctx, "label --rename", arg)
	}
	return o.store.openSessionEntry(ctx, arg)
}

// print prints the labels of a session, or of its entry alone.
func (o labelOptions) print(w io.Writer, session sessionRef) error {
	view, err := session.View()
	if err != nil {
		return err
	}
	if session.entry == "" {
		return writeLabels(w, labelRows(view), o.json)
	}
	entry, ok := view.Tree.Lookup(session.entry)
	if !ok {
		return session.noEntry()
	}
	rows := []labelRow{}
	if label := view.Tree.Label(entry); label != "" {
		rows = append(rows, labelRow{label, []string{session.entry}})
	}
	return writeLabels(w, rows, o.json)
}

func (o labelOptions) plan(entry string, labels []string) writeback.Plan {
	switch {
	case o.clear:
		return clearLabel(labels[0])
	case o.rename:
		return writeback.MoveLabel(labels[0], labels[1])
	case entry == "":
		return writeback.LabelCurrent(labels[0])
	default:
		return writeback.LabelEntry(entry, labels[0])
	}
}

// clearLabel is writeback.ClearLabel for a label that some entry must have.
func clearLabel(label string) writeback.Plan {
	clearAll := writeback.ClearLabel(label)
	return func(v *store.View) ([]writeback.Change, error) {
		changes, err := clearAll(v)
		if err == nil && len(changes) == 0 {
			err = writeback.ErrUnknownEntry
		}
		return changes, err
	}
}

func (o labelOptions) explain(err error, session sessionRef, label string) error {
	switch {
	case o.rename, o.clear:
		return fmt.Errorf("no entry has the label %q", label)
	case session.entry == "":
		return fmt.Errorf("%w: the session has no position to label yet", err)
	}
	return session.noEntry()
}

// A labelRow is a label and the entries that have it.
type labelRow struct {
	Label   string   `json:"label"`
	Entries []string `json:"entries"`
}

func labelRows(v *store.View) []labelRow {
	rows := []labelRow{}
	for _, label := range v.Tree.Labels() {
		row := labelRow{Label: label.Text}
		for _, i := range label.Entries {
			row.Entries = append(row.Entries, v.Tree.ID(int(i)))
		}
		rows = append(rows, row)
	}
	return rows
}

func writeLabels(w io.Writer, rows []labelRow, asJSON bool) error {
	if asJSON {
		return writeJSON(w, rows)
	}
	for _, row := range rows {
		for _, id := range row.Entries {
			if _, err := fmt.Fprintf(w, "%s\t%s\n", oneLine(id, 256), oneLine(row.Label, writeback.MaxText)); err != nil {
				return err
			}
		}
	}
	return nil
}
