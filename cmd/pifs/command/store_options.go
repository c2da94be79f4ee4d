package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/fs"
	"github.com/pifs/pifs/store"
)

// storeOptions say which sessions a command is about.
type storeOptions struct {
	dirs    []string
	sample  bool
	command string // that can show the sample, "" if it can't
}

func (o *storeOptions) AddFlags(flags *pflag.FlagSet) {
	o.AddStoreFlag(flags)
	o.command = flags.Name()
	flags.BoolVar(&o.sample, "sample", false, "show a small store that comes with pifs")
}

// AddStoreFlag is AddFlags for commands that change sessions: what they do to the
// sample would be gone with it.
func (o *storeOptions) AddStoreFlag(flags *pflag.FlagSet) {
	flags.Var((*dirsValue)(&o.dirs), "store", "session store DIR (repeatable; default: where pi keeps its sessions)")
}

// An openStore is a store that a command has opened.
type openStore struct {
	*store.Store
	dirs   []string   // absolute
	sample *sampleDir // nil for a real store
}

// directories returns the store's directories. With orSample, the sample stands in
// for a default store that does not exist and that nothing names; why then says so.
func (o storeOptions) directories(orSample bool) (dirs []string, useSample bool, why string, err error) {
	if o.sample {
		return nil, true, "", nil
	}
	dirs = o.dirs
	if len(dirs) == 0 {
		found, err := store.FindDefault(os.Getenv)
		if err != nil {
			return nil, false, "", withCode(ExitStore, err)
		}
		if orSample && found.NamedBy == "" && isMissing(found.Dir) {
			return nil, true, fmt.Sprintf("There is no pi session store at %s: showing a sample (--store DIR names another).", found.Dir), nil
		}
		dirs = []string{found.Dir}
	}
	absolute := make([]string, len(dirs))
	for i, dir := range dirs {
		if absolute[i], err = filepath.Abs(dir); err != nil {
			return nil, false, "", withCode(ExitStore, err)
		}
	}
	return absolute, false, "", nil
}

func isMissing(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, iofs.ErrNotExist)
}

// namedBy returns what names the store, in parentheses; "" for the user, and for the
// default that nothing names.
func (o storeOptions) namedBy() string {
	if len(o.dirs) > 0 || o.sample {
		return ""
	}
	if found, err := store.FindDefault(os.Getenv); err == nil && found.NamedBy != "" {
		return " (" + found.NamedBy + " names it)"
	}
	return ""
}

// ignoredSettings says that pi's settings, which may name the default store, are not
// understood. "" if they are, or if they do not matter.
func (o storeOptions) ignoredSettings() string {
	if len(o.dirs) > 0 || o.sample {
		return ""
	}
	found, err := store.FindDefault(os.Getenv)
	if err != nil || found.Ignored == "" {
		return ""
	}
	return fmt.Sprintf("%s is no JSON and is ignored, as pi does; the store is %s", found.Ignored, found.Dir)
}

// tellIgnoredSettings says so on standard error, where a command opens a store; the
// process in the background leaves it to the one that has started it.
func tellIgnoredSettings(cmd *cobra.Command) {
	flags := cmd.Flags()
	named := flags.Lookup("store")
	if named == nil || named.Changed || os.Getenv(readyEnv) != "" {
		return
	}
	var o storeOptions
	o.sample, _ = flags.GetBool("sample")
	if note := o.ignoredSettings(); note != "" && cmd.Name() != doctorName {
		fmt.Fprintf(cmd.ErrOrStderr(), "pifs: %s\n", note)
	}
}

// open opens the store. The caller closes it. why is not empty if the sample
// stands in for a missing store.
func (o storeOptions) open(ctx context.Context, orSample bool, so store.Options) (s *openStore, why string, err error) {
	dirs, useSample, why, err := o.directories(orSample)
	if err != nil {
		return nil, "", err
	}
	s = &openStore{dirs: dirs}
	if useSample {
		if s.sample, err = newSampleDir(); err != nil {
			return nil, "", withCode(ExitStore, err)
		}
		if !so.Watch { // the daemon has its own way with signals
			s.sample.removeAtDeath()
		}
		s.dirs = []string{s.sample.path}
		so.Memory = "" // it is somewhere else next time
	}
	if s.Store, err = store.Open(ctx, s.dirs, so); err != nil {
		s.removeSample()
		if errors.Is(err, store.ErrNoStore) {
			err = fmt.Errorf("%w%s. --store DIR names the directory that pi's sessions are in; %s", err, o.namedBy(), o.insteadOfStore())
		}
		return nil, "", withCode(ExitStore, err)
	}
	return s, why, nil
}

// Close closes the store and removes the sample.
func (s *openStore) Close() error {
	err := s.Store.Close()
	s.removeSample()
	return err
}

func (s *openStore) removeSample() {
	if s.sample != nil {
		s.sample.remove()
	}
}

// insteadOfStore is what to do without sessions.
func (o storeOptions) insteadOfStore() string {
	return fmt.Sprintf("'pifs %s --sample' takes a small one that comes with pifs", cmp.Or(o.command, "ls"))
}

// openFS opens the tree of a store without a mount. With orSample, the sample stands
// in for a default store that does not exist and that nothing names; why then says so.
// The caller closes the store.
func (o storeOptions) openFS(ctx context.Context, orSample bool) (tree iofs.FS, s *openStore, why string, err error) {
	s, why, err = o.open(ctx, orSample, store.Options{Memory: memoryFile()})
	if err != nil {
		return nil, nil, "", err
	}
	return fs.New(s.Store, fs.Options{Version: buildVersion().Version}).FS(), s, why, nil
}

// withoutSessions says that the store has no sessions, "" if it has some.
func (s *openStore) withoutSessions() string {
	dirs := strings.Join(s.dirs, ", ")
	switch {
	case len(s.Sessions()) > 0:
		return ""
	case len(s.Skipped()) > 0:
		return fmt.Sprintf("There is no session in %s: pifs check says what its files lack.", dirs)
	}
	return fmt.Sprintf("No *.jsonl was found in %s.", dirs)
}

// tellUnreadable says on standard error that not all of the store is shown.
func (s *openStore) tellUnreadable(stderr io.Writer) {
	unreadable := 0
	for _, skipped := range s.Skipped() {
		if skipped.Unreadable {
			unreadable++
		}
	}
	if unreadable > 0 {
		fmt.Fprintf(stderr, "pifs: %s can't be read: pifs check\n", count(unreadable, "file or directory", "files or directories"))
	}
}

// count returns a number with what it counts.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
