package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type mountOptions struct {
	store       storeOptions
	foreground  bool
	readOnly    bool
	allowOther  bool
	allowDelete bool
	write       writeOptions
	cacheBytes  byteSize
	debug       bool
}

func (o *mountOptions) AddFlags(flags *pflag.FlagSet) {
	o.store.AddFlags(flags)
	o.write.AddFlags(flags)
	o.cacheBytes = 64 << 20
	flags.BoolVarP(&o.foreground, "foreground", "f", false, "stay in the foreground")
	flags.BoolVar(&o.readOnly, "read-only", false, "refuse all writes; reading is faster")
	flags.BoolVar(&o.allowOther, "allow-other", false, "let other users in, as far as the files' modes let them")
	flags.BoolVar(&o.allowDelete, "allow-delete", false, "let rmdir of a session's directory delete its file: to the trash if there is the command trash, else for good")
	flags.Var(&o.cacheBytes, "cache-size", "memory for what has been read and rendered")
	flags.BoolVar(&o.debug, "debug", false, "serve profiles on a socket; with -f, log each request of the kernel")
}

func newMountCommand() *cobra.Command {
	var o mountOptions
	cmd := &cobra.Command{
		Use:   "mount [MOUNTPOINT]",
		Short: "Mount the sessions as directories",
		Long: `Mounts pi's sessions at MOUNTPOINT (default: ~/pi-sessions) and returns when they
can be read. The mountpoint is created if it is missing, and then removed again
at the end.

The store is each --store DIR, else $PI_CODING_AGENT_SESSION_DIR, else sessionDir
in settings.json of the agent directory ($PI_CODING_AGENT_DIR or ~/.pi/agent),
else its directory sessions. If nothing names one and there is none, the sample is
mounted.

End it with 'pifs unmount'. With -f it stays in the foreground until then, or
until SIGINT, SIGTERM or SIGHUP; it tells systemd when it is ready (Type=notify).`,
		Example: `  pifs mount && ls ~/pi-sessions
  pifs mount --sample /tmp/pi
  pifs mount --store ~/backup/sessions --read-only ~/old-sessions`,
		GroupID:           groupMount,
		Args:              takes(0, 1, "MOUNTPOINT, or nothing"),
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMount(cmd, o, args)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// runMount mounts in this process if it is to stay in the foreground, or if it is
// the one that has been started to stay in the background; else it starts that.
func runMount(cmd *cobra.Command, o mountOptions, args []string) error {
	ready := readyPipe()
	if !o.foreground && ready == nil {
		return startInBackground(cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	dir, err := mountpointArg(args)
	if err != nil {
		return err
	}
	d := &daemon{options: o, ready: ready, stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}
	return d.run(cmd.Context(), dir)
}
