package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pifs/pifs/store"
)

// readyEnv names the descriptor on which a process in the background says that it
// is ready. The Go runtime has threads and can't fork: going to the background is
// starting the same program again with this variable.
const readyEnv = "PIFS_READY_FD"

// readyPipe returns the pipe to the process that waits for this one to be ready,
// nil if none does.
func readyPipe() *os.File {
	fd, err := strconv.Atoi(os.Getenv(readyEnv))
	if err != nil {
		return nil
	}
	os.Unsetenv(readyEnv)
	unix.CloseOnExec(fd) // fusermount3 must not hold it open
	// It runs as /proc/self/exe, and would be called exe by ps and pgrep. The file is
	// that of the main thread, whose name they show.
	os.WriteFile("/proc/self/comm", []byte("pifs"), 0)
	return os.NewFile(uintptr(fd), "ready")
}

// startInBackground runs this command again in a session of its own, and returns
// when that process is ready or has ended. It prints to the same output until
// then.
func startInBackground(stdout, stderr io.Writer) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Args[0] = os.Args[0]
	child.Env = append(os.Environ(), readyEnv+"=3")
	child.ExtraFiles = []*os.File{write}
	child.Stdout, child.Stderr = stdout, stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = child.Start()
	write.Close()
	if err != nil {
		return fmt.Errorf("can't go to the background (-f stays in the foreground): %w", err)
	}
	if _, err := io.ReadFull(read, make([]byte, 1)); err == nil {
		return child.Process.Release()
	}
	err = child.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return withCode(exit.ExitCode(), errReported)
	}
	return fmt.Errorf("the mount ended before it was ready: %w", err)
}

// leaveTerminal gives up standard output and error, so that nobody who waits for
// their end waits for this process, and says that it is ready. Should it ever
// crash, the Go runtime's report goes to crashFile.
func leaveTerminal(ready *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	for _, fd := range []int{1, 2} {
		if err := unix.Dup3(int(null.Fd()), fd, 0); err != nil {
			return os.NewSyscallError("dup3", err)
		}
	}
	if crash, err := openCrashFile(); err == nil {
		defer crash.Close()
		if err := debug.SetCrashOutput(crash, debug.CrashOptions{}); err != nil {
			return err
		}
	}
	defer ready.Close()
	_, err = ready.Write([]byte{1})
	return err // EPIPE: who started us has been ended
}

// openCrashFile opens pifs/crash.log in the user's state directory
// ($XDG_STATE_HOME, else ~/.local/state).
func openCrashFile() (*os.File, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := store.HomeDir(os.Getenv)
		if err != nil {
			return nil, err
		}
		state = filepath.Join(home, ".local", "state")
	}
	dir := filepath.Join(state, "pifs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "crash.log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}
