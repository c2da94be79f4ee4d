package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// memoryVersion changes with what a remembered session is, and with the rules by
// which it is found.
const memoryVersion = 1

// tooFresh is how old a change of a file must be to be sure that another one would
// set another time. Kernels before 6.13 tell times apart by a few milliseconds, some
// file systems by two seconds.
const tooFresh = 2 * time.Second

// A memory is what a store remembers of sessions from one process to the next. It
// is only ever a shorter way to what a scan finds.
type memory struct {
	path string // of the file, "" for no memory
	zone string // the local time zone

	once  sync.Once
	mu    sync.Mutex
	known map[string]memo // by path
	fresh bool            // there is something that the file has not
}

// A memo is the summary of a file that had these facts.
type memo struct {
	Dev, Ino               uint64
	Size, MtimeNS, CtimeNS int64
	Summary                Summary
}

// memoryFile is the file's content.
type memoryFile struct {
	Version  int
	Zone     string // the local time zone, see zone
	Sessions map[string]memo
}

func newMemory(path string) *memory { return &memory{path: path, zone: zone()} }

// load reads the file when the memory is first used.
func (m *memory) load() {
	m.once.Do(func() {
		m.known = make(map[string]memo)
		if m.path == "" {
			return
		}
		if info, err := os.Stat(m.path); err != nil || !info.Mode().IsRegular() {
			return
		}
		text, err := os.ReadFile(m.path)
		if err != nil {
			return
		}
		var file memoryFile
		if json.Unmarshal(text, &file) == nil && file.Version == memoryVersion && file.Zone == m.zone && file.Sessions != nil {
			m.known = file.Sessions
		}
	})
}

// recall returns the summary of the file at a path, if it still has the facts that
// it had when it was scanned.
func (m *memory) recall(path string, f facts) (Summary, bool) {
	m.load()
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok := m.known[path]
	return old.Summary, ok && old == memoOf(f, old.Summary)
}

// note remembers a summary. A file that was changed just now may be changed again
// without a trace.
func (m *memory) note(path string, f facts, s Summary) {
	if m.path == "" || time.Since(time.Unix(0, f.ctimeNS)) < tooFresh {
		return
	}
	m.load()
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := memoOf(f, s); m.known[path] != now {
		m.known[path], m.fresh = now, true
	}
}

func memoOf(f facts, s Summary) memo {
	return memo{Dev: f.dev, Ino: f.ino, Size: f.size, MtimeNS: f.mtimeNS, CtimeNS: f.ctimeNS, Summary: s}
}

// save writes what is remembered of sessions to the file, for this user only: names
// and first messages are among it. It is no loss if that fails.
func (m *memory) save(sessions []*Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.fresh {
		return
	}
	here := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		here[s.Path] = true
	}
	for path := range m.known { // of other stores, and what has been deleted
		if _, err := os.Lstat(path); !here[path] && err != nil {
			delete(m.known, path)
		}
	}
	text, err := json.Marshal(memoryFile{memoryVersion, m.zone, m.known})
	if err != nil || os.MkdirAll(filepath.Dir(m.path), 0o700) != nil {
		return
	}
	next, err := os.CreateTemp(filepath.Dir(m.path), filepath.Base(m.path)+".*")
	if err != nil {
		return
	}
	_, err = next.Write(text)
	if next.Close() != nil || err != nil || os.Rename(next.Name(), m.path) != nil {
		os.Remove(next.Name())
	}
}
