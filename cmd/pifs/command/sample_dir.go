package command

import (
	"errors"
	iofs "io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/cmd/pifs/sample"
)

// samplePattern is what os.MkdirTemp makes the names of the samples' directories of.
const samplePattern = "pifs-sample-*"

// A sampleDir is the temporary directory of a sample. It is locked as long as the
// process lives that uses it: what a killed one has left is removed by the next.
type sampleDir struct {
	path    string
	lock    *os.File       // the directory
	signals chan os.Signal // nil: the process looks after itself
	ended   chan struct{}  // closed when no signal is waited for any more
}

// newSampleDir writes the sample into a new directory.
func newSampleDir() (*sampleDir, error) {
	removeStaleSamples()
	d, err := lockedSampleDir()
	for errors.Is(err, errSampleTaken) {
		d, err = lockedSampleDir()
	}
	if err != nil {
		return nil, err
	}
	if err := sample.Write(d.path); err != nil {
		d.remove()
		return nil, err
	}
	return d, nil
}

// errSampleTaken says that a process which starts as well took our directory for one
// that was left behind, as it was not locked yet.
var errSampleTaken = errors.New("the sample's directory is gone")

func lockedSampleDir() (*sampleDir, error) {
	path, err := os.MkdirTemp("", samplePattern)
	if err != nil {
		return nil, err
	}
	lock, err := lockDir(path)
	switch {
	case errors.Is(err, iofs.ErrNotExist), errors.Is(err, unix.EWOULDBLOCK):
		return nil, errSampleTaken
	case err != nil:
		return nil, errors.Join(err, os.Remove(path))
	}
	return &sampleDir{path: path, lock: lock}, nil
}

// lockDir locks a directory of this user that nobody else has locked. It is still
// there then.
func lockDir(path string) (*os.File, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := lockOwn(dir); err != nil {
		dir.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return dir, nil
}

func lockOwn(dir *os.File) error {
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &stat); err != nil {
		return err
	}
	switch {
	case stat.Uid != uint32(os.Geteuid()):
		return unix.EPERM
	case stat.Nlink == 0:
		return unix.ENOENT
	}
	return nil
}

// removeStaleSamples removes the samples of this user's processes that were killed.
func removeStaleSamples() {
	paths, err := filepath.Glob(filepath.Join(os.TempDir(), samplePattern))
	if err != nil {
		return
	}
	for _, path := range paths {
		if lock, err := lockDir(path); err == nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

// removeAtDeath has the directory removed before a signal ends the process: one from
// the terminal, or the one for who writes to a pipe that nobody reads, as in
// `pifs ls --sample | head -1`.
func (d *sampleDir) removeAtDeath() {
	d.signals, d.ended = make(chan os.Signal, 1), make(chan struct{})
	for _, s := range []syscall.Signal{syscall.SIGPIPE, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(d.signals, s)
		}
	}
	go func() {
		defer close(d.ended)
		for s := range d.signals {
			os.RemoveAll(d.path)
			dieOf(s.(syscall.Signal))
		}
	}()
}

// remove removes the directory. If a signal has come, it does not return.
func (d *sampleDir) remove() {
	if d.signals != nil {
		signal.Stop(d.signals)
		close(d.signals)
		<-d.ended
	}
	os.RemoveAll(d.path)
	d.lock.Close()
}

// dieOf ends the process by a signal, so that who waits for it sees that.
func dieOf(s syscall.Signal) {
	signal.Reset(s)
	if s == syscall.SIGPIPE {
		breakOutput()
	}
	if err := unix.Kill(os.Getpid(), s); err == nil {
		time.Sleep(time.Second) // another thread may be the one that gets it
	}
	os.Exit(128 + int(s))
}

// breakOutput writes to a standard output that nobody reads: the Go runtime takes no
// other SIGPIPE for its own.
func breakOutput() {
	read, write, err := os.Pipe()
	if err != nil {
		return
	}
	read.Close()
	if err := unix.Dup3(int(write.Fd()), 1, 0); err == nil {
		os.Stdout.Write([]byte{'\n'})
	}
}
