package writeback_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// childEnv names what this program does when a test has started it again.
const childEnv = "PIFS_WRITEBACK_CHILD"

// killed is the exit code of a child that has ended itself as a kill would.
const killed = 99

func TestMain(m *testing.M) {
	child := map[string]func() error{
		"migrate": migrateChild,
		"label":   labelChild,
		"burst":   burstChild,
	}[os.Getenv(childEnv)]
	if child == nil {
		os.Exit(m.Run())
	}
	if err := child(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// childSession opens the session that the parent has named.
func childSession() (*store.Session, error) {
	path := os.Getenv("PIFS_FILE")
	st, err := store.Open(context.Background(), []string{filepath.Dir(path)}, store.Options{})
	if err != nil {
		return nil, err
	}
	for _, s := range st.Sessions() {
		if s.Path == path {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no session %s", path)
}

// migrateChild changes a session and ends before step number PIFS_STEP.
func migrateChild() error {
	s, err := childSession()
	if err != nil {
		return err
	}
	left := envInt("PIFS_STEP", 0)
	fs := &faults{before: func(writeback.Op) {
		if left == 0 {
			os.Exit(killed)
		}
		left--
	}}
	return writeback.Append(s, writeback.Options{FS: fs}, writeback.SetName("n"))
}

// long tells whether tests that can take long should: PIFS_LONG=1.
func long() bool { return os.Getenv("PIFS_LONG") != "" }

// envInt returns the number in an environment variable.
func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
