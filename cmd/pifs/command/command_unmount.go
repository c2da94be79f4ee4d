package command

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type unmountOptions struct {
	lazy bool
}

func (o *unmountOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVarP(&o.lazy, "lazy", "z", false, "take it out of sight at once; those inside keep it until they leave")
}

func newUnmountCommand() *cobra.Command {
	var o unmountOptions
	cmd := &cobra.Command{
		Use:     "unmount [MOUNTPOINT]",
		Aliases: []string{"umount"},
		Short:   "End a mount",
		Long: `Unmounts what 'pifs mount' has mounted at MOUNTPOINT (default: ~/pi-sessions).
It returns when the daemon has cleaned up, or is busy with that for two seconds.
While someone is inside it refuses with exit code 7, and says who.`,
		GroupID:           groupMount,
		Args:              takes(0, 1, "MOUNTPOINT, or nothing"),
		ValidArgsFunction: completeMount,
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := mountpointArg(args)
			if err != nil {
				return err
			}
			return runUnmount(dir, o)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// unmountable returns what is mounted on a directory, if it is a mount of ours that this
// user may end.
func unmountable(all []mountEntry, path string) (mountEntry, error) {
	top, ok := topMount(all, path)
	if !ok {
		if around, ok := mountAround(all, path); ok {
			return top, fmt.Errorf("%s is inside the mount at %s: pifs unmount %[2]s", path, around.mountpoint)
		}
		return top, fmt.Errorf("nothing is mounted on %s", path)
	}
	if top.fsType != fsType {
		return top, fmt.Errorf("what is mounted on %s is not pifs, but %s", path, top.fsType)
	}
	if other := top.otherUser(); other != "" && os.Geteuid() != 0 {
		return top, fmt.Errorf("%s was mounted by %s: only they and root can unmount it", path, other)
	}
	return top, nil
}

// runUnmount unmounts a mount of ours, dead ones too, and nothing else. Then it waits
// for the daemon, which removes what it has made and writes what it keeps.
func runUnmount(dir string, o unmountOptions) error {
	path, err := resolveParent(dir) // not dir itself, which a dead mount keeps from being looked at
	if missing := new(missingParent); errors.As(err, &missing) {
		err = fmt.Errorf("nothing is mounted on %s", dir)
	}
	if err != nil {
		return withCode(ExitMountpoint, err)
	}
	all, err := mounts()
	if err != nil {
		return err
	}
	top, err := unmountable(all, path)
	if err != nil {
		return withCode(ExitMountpoint, err)
	}
	// A shell in the mount is in its way; that this process began there is not.
	if err := os.Chdir("/"); err != nil {
		return err
	}
	daemon := findPresence(top)
	defer daemon.close()
	// Those inside a lazily detached mount keep it for as long as they like.
	stays := o.lazy && len(occupants(path)) > 0
	err = detach(path, o.lazy)
	if errors.Is(err, errBusy) {
		return withCode(ExitBusy, fmt.Errorf("%s is in use: %s. Leave it, or use --lazy", path, describe(occupants(path))))
	}
	if err == nil && !stays {
		daemon.wait(unmountPatience)
	}
	return err
}
