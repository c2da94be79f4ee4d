package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/pifs/pifs/fs"
	"github.com/pifs/pifs/store"
)

const (
	unmountPatience = 2 * time.Second // how long a busy mount is waited for at the end
	unmountInterval = 100 * time.Millisecond
)

// A daemon is the process that serves a mount.
type daemon struct {
	options        mountOptions
	ready          *os.File // set in the background
	stdout, stderr io.Writer

	mountpoint mountpoint
	mount      *fs.Mount
	signals    chan os.Signal
	gone       chan struct{} // closed when nothing is mounted any more
}

// run mounts at dir and serves until it is unmounted or told to end.
func (d *daemon) run(ctx context.Context, dir string) error {
	d.signals = make(chan os.Signal, 2)
	signal.Notify(d.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(d.signals)
	// A closed standard error must not end us, and leave a dead mount behind.
	signal.Ignore(syscall.SIGPIPE)

	settle := hurry()
	defer settle()
	st, why, err := d.options.store.open(ctx, true, store.Options{Watch: true, Memory: memoryFile()})
	if err != nil {
		return err
	}
	defer st.Close()
	if d.mountpoint, err = prepareMountpoint(dir, st.dirs); err != nil {
		return err
	}
	defer d.mountpoint.remove()
	// A process that stands in its own mount, or in anybody's, keeps it busy.
	if err := os.Chdir("/"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := d.attach(ctx, st.Store); err != nil {
		return err
	}
	if d.options.debug {
		path, stop, err := serveProfiles()
		if err != nil {
			return errors.Join(err, d.end())
		}
		defer stop()
		fmt.Fprintf(d.stdout, "profiles: curl --unix-socket %s http://pifs/debug/pprof/\n", path)
	}
	if why != "" {
		fmt.Fprintln(d.stdout, why)
	}
	if none := st.withoutSessions(); none != "" {
		fmt.Fprintln(d.stdout, none)
	}
	d.tellWhatWritesDo(st)
	st.tellUnreadable(d.stderr)
	fmt.Fprintf(d.stdout, "%s at %s (end: pifs unmount %[2]s)\n", count(len(st.Sessions()), "session", "sessions"), d.mountpoint.dir)
	if err := d.announce(); err != nil {
		return errors.Join(err, d.end())
	}
	time.AfterFunc(quiet, settle) // not now, when somebody will list the mount
	select {
	case <-d.gone:
		return nil
	case <-d.signals:
		return d.end()
	}
}

// tellWhatWritesDo says what one might regret.
func (d *daemon) tellWhatWritesDo(st *openStore) {
	if d.options.readOnly {
		return
	}
	if st.sample != nil {
		fmt.Fprintln(d.stdout, "What is changed in the sample is lost when it is unmounted.")
	}
	if d.options.allowDelete {
		if _, err := exec.LookPath("trash"); err == nil {
			fmt.Fprintln(d.stdout, "rmdir of a session's directory moves its file to the trash.")
		} else {
			fmt.Fprintln(d.stdout, "rmdir of a session's directory deletes its file for good, as there is no command trash.")
		}
	}
}

// attach mounts the tree of a store. ctx ends when it is unmounted.
func (d *daemon) attach(ctx context.Context, st *store.Store) error {
	machine := inspectFuse()
	if err := machine.missing(); err != nil {
		return withCode(ExitMount, fmt.Errorf("can't mount: %w. %s", err, withoutFuse))
	}
	if d.options.allowOther {
		if err := machine.missingForOthers(); err != nil {
			return withCode(ExitMount, err)
		}
	}
	tree := fs.New(st, fs.Options{
		CacheBytes:  int64(d.options.cacheBytes),
		ReadOnly:    d.options.readOnly,
		AllowDelete: d.options.allowDelete,
		NoSync:      !d.options.write.sync,
		Version:     buildVersion().Version,
	})
	mount, err := tree.Mount(d.mountpoint.dir, fs.MountOptions{
		AllowOther: d.options.allowOther,
		Debug:      d.options.debug && d.options.foreground,
	})
	if err != nil {
		return withCode(ExitMount, explainRefusal(err, d.mountpoint.dir))
	}
	showPresence(d.mountpoint.dir)
	go tameMemory(ctx, tree, int64(d.options.cacheBytes))
	d.mount = mount
	d.gone = make(chan struct{})
	go func() {
		mount.Wait()
		close(d.gone)
	}()
	return nil
}

// announce tells whoever waits that the mount can be used.
func (d *daemon) announce() error {
	if err := notifySystemd("READY=1"); err != nil {
		return fmt.Errorf("can't tell the service manager: %w", err)
	}
	if d.ready == nil {
		return nil
	}
	return leaveTerminal(d.ready)
}

// end unmounts. A busy mount is waited for a little, and then detached: it is out
// of sight at once, and those inside are served until they leave. A signal ends
// the waiting, and with it their mount.
func (d *daemon) end() error {
	if d.unmountPatiently() {
		<-d.gone
		return nil
	}
	inside := describe(occupants(d.mountpoint.dir))
	if err := detach(d.mountpoint.dir, true); err != nil {
		return withCode(ExitBusy, fmt.Errorf("%s is in use (%s), and can't be detached: %w", d.mountpoint.dir, inside, err))
	}
	fmt.Fprintf(d.stderr, "pifs: %s is in use: %s. It is detached and ends when they leave; a signal ends it now.\n", d.mountpoint.dir, inside)
	d.mountpoint.remove()
	select {
	case <-d.gone:
	case <-d.signals:
	}
	return nil
}

// unmountPatiently tries for a while, and tells whether it came to be unmounted.
// A second signal ends the trying.
func (d *daemon) unmountPatiently() bool {
	deadline := time.After(unmountPatience)
	for {
		if d.mount.Unmount() == nil {
			return true
		}
		select {
		case <-d.gone:
			return true
		case <-d.signals:
			return false
		case <-deadline:
			return false
		case <-time.After(unmountInterval):
		}
	}
}
