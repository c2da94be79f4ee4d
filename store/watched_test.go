package store

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for what should come soon.
const patience = 10 * time.Second

// quickPace makes polling fast enough for tests, and leaves what events should tell
// to the events.
var quickPace = pace{gather: 2 * time.Millisecond, poll: 50 * time.Millisecond, everything: time.Hour}

// watchModes are the ways to hear of changes.
var watchModes = map[string]Options{
	"told":   {Watch: true, pace: quickPace},
	"polled": {Watch: true, pace: quickPace, unheard: true},
}

// eachWatchMode runs a test on an empty watched directory.
func eachWatchMode(t *testing.T, test func(t *testing.T, dir string, s *Store)) {
	for name, o := range watchModes {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			test(t, dir, watch(t, dir, o))
		})
	}
}

func watch(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), []string{dir}, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// soon waits until a condition holds.
func soon(t *testing.T, condition func() bool, what ...any) {
	t.Helper()
	require.Eventually(t, condition, patience, time.Millisecond, what...)
}

// shows waits until the store has just these sessions.
func shows(t *testing.T, s *Store, want ...string) {
	t.Helper()
	soon(t, func() bool { return strings.Join(rels(s), " ") == strings.Join(want, " ") }, "want %v", want)
}

// holds waits until the store's only session has so many entries.
func holds(t *testing.T, s *Store, entries int) *Session {
	t.Helper()
	var x *Session
	soon(t, func() bool {
		if len(s.Sessions()) != 1 {
			return false
		}
		x = s.Sessions()[0]
		v, err := x.View()
		return err == nil && v.Tree.Len() == entries
	}, "want %d entries", entries)
	return x
}

// A log takes down changes, and sees that they make sense.
type log struct {
	mu      sync.Mutex
	changes map[*Session][]ChangeKind
	count   map[ChangeKind]int
}

func listen(t *testing.T, s *Store) *log {
	l := &log{changes: make(map[*Session][]ChangeKind), count: make(map[ChangeKind]int)}
	s.Subscribe(func(c Change) {
		l.mu.Lock()
		defer l.mu.Unlock()
		before := l.changes[c.Session]
		if n := len(before); n > 0 {
			assert.NotEqual(t, Removed, before[n-1], "%s: %v after it was removed", c.Session.Rel, c.Kind)
			assert.NotEqual(t, Added, c.Kind, "%s: added twice", c.Session.Rel)
		}
		if c.Kind == Removed {
			assert.NotContains(t, s.Sessions(), c.Session, "published before it is told")
		}
		l.changes[c.Session] = append(before, c.Kind)
		l.count[c.Kind]++
	})
	return l
}

func (l *log) counted(kind ChangeKind) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count[kind]
}

func openFileCount(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		// The runtime opens its poller when it is first needed, and keeps it.
		if to, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && !strings.HasPrefix(to, "anon_inode:[event") {
			n++
		}
	}
	return n
}
