package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/store"
)

type doctorOptions struct {
	store storeOptions
	json  bool
}

func (o *doctorOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
	flags.BoolVar(&o.json, "json", false, "print JSON")
}

// doctorName is the command that says in its rows what others say on standard error.
const doctorName = "doctor"

func newDoctorCommand() *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   doctorName,
		Short: "Say what this machine lacks for a mount",
		Long: `Looks at what a mount needs: FUSE, the program that mounts for ordinary users, the
mounts that are there, the session store. Says what is missing, and the command that
brings it. Ends with code 1 if something is missing.`,
		GroupID: groupHelp,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := examine(cmd.Context(), o, inspectFuse())
			if err := writeFindings(cmd.OutOrStdout(), findings, o.json); err != nil {
				return err
			}
			for _, f := range findings {
				if f.State == stateMissing {
					return errReported
				}
			}
			return nil
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// A finding is what the doctor says about one thing.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// The states of a finding.
const (
	stateOK      = "ok"
	stateNote    = "note" // good to know; nothing fails for it
	stateMissing = "missing"
)

func examine(ctx context.Context, o doctorOptions, machine fuseMachine) []finding {
	findings := []finding{examineFuse(machine), examineOthers(machine)}
	findings = append(findings, examineMounts()...)
	findings = append(findings, examineStore(ctx, o.store))
	if note := o.store.ignoredSettings(); note != "" {
		findings = append(findings, finding{"settings", stateNote, note})
	}
	if f, ok := examineWatches(); ok {
		findings = append(findings, f)
	}
	return findings
}

func examineFuse(machine fuseMachine) finding {
	if err := machine.missing(); err != nil {
		return finding{"fuse", stateMissing, err.Error() + ". " + withoutFuse}
	}
	if machine.root {
		return finding{"fuse", stateOK, devFuse + " can be opened"}
	}
	return finding{"fuse", stateOK, machine.helper + " mounts for ordinary users"}
}

func examineOthers(machine fuseMachine) finding {
	if err := machine.missingForOthers(); err != nil {
		return finding{"allow-other", stateNote, err.Error()}
	}
	return finding{"allow-other", stateOK, "a mount can be opened to other users"}
}

// examineMounts names the mounts of ours.
func examineMounts() (findings []finding) {
	all, err := mounts()
	if err != nil {
		return []finding{{"mounts", stateNote, err.Error()}}
	}
	for _, m := range all {
		if m.fsType == fsType {
			findings = append(findings, examineMount(m))
		}
	}
	if len(findings) == 0 {
		return []finding{{"mounts", stateOK, "pifs is not mounted"}}
	}
	return findings
}

func examineMount(m mountEntry) finding {
	by := ""
	if other := m.otherUser(); other != "" {
		by = " (by " + other + ")"
	}
	if isDead(m.mountpoint) {
		return finding{"mounts", stateNote, fmt.Sprintf("the daemon of %s%s is dead: pifs unmount %[1]s", m.mountpoint, by)}
	}
	return finding{"mounts", stateOK, fmt.Sprintf("pifs is mounted on %s%s", m.mountpoint, by)}
}

func examineStore(ctx context.Context, o storeOptions) finding {
	st, why, err := o.open(ctx, true, store.Options{})
	if err != nil {
		return finding{"store", stateMissing, err.Error()}
	}
	defer st.Close()
	if why == "" {
		why = st.withoutSessions()
	}
	switch {
	case why != "":
		return finding{"store", stateNote, why}
	case st.sample != nil:
		return finding{"store", stateOK, "the sample"}
	}
	return finding{"store", stateOK, fmt.Sprintf("%s in %s", count(len(st.Sessions()), "session", "sessions"), strings.Join(st.dirs, ", "))}
}

// fewWatches is a limit of inotify that a large store may reach, with the
// editors that watch whole work trees beside it.
const fewWatches = 8192

// examineWatches looks at how many directories the user's processes may watch.
func examineWatches() (finding, bool) {
	const limitFile = "/proc/sys/fs/inotify/max_user_watches"
	text, err := os.ReadFile(limitFile)
	if errors.Is(err, os.ErrNotExist) {
		return finding{}, false
	}
	var limit int
	if _, err := fmt.Sscan(string(text), &limit); err != nil {
		return finding{}, false
	}
	if limit < fewWatches {
		return finding{"inotify", stateNote, fmt.Sprintf("only %d directories can be watched, the rest is looked at each second: sudo sysctl fs.inotify.max_user_watches=%d", limit, 16*fewWatches)}, true
	}
	return finding{"inotify", stateOK, fmt.Sprintf("%d directories can be watched", limit)}, true
}

func writeFindings(w io.Writer, findings []finding, asJSON bool) error {
	if asJSON {
		return writeJSON(w, findings)
	}
	for _, f := range findings {
		if _, err := fmt.Fprintf(w, "%-8s %-12s %s\n", f.State, f.Check, f.Detail); err != nil {
			return err
		}
	}
	return nil
}
