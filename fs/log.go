package fs

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// logBytes is how much of the newest log is kept for .pifs/log.
const logBytes = 64 << 10

// A log keeps the newest lines of what could not be told to whom it concerned:
// errors of a close that is past, panics.
type log struct {
	mu   sync.Mutex
	kept []byte
}

// printf adds a line.
func (l *log) printf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = fmt.Appendf(l.kept, "%s %s\n", time.Now().UTC().Format(time.RFC3339), line)
	if extra := len(l.kept) - logBytes; extra > 0 {
		if end := bytes.IndexByte(l.kept[extra:], '\n'); end >= 0 {
			extra += end + 1
		}
		l.kept = append([]byte(nil), l.kept[extra:]...)
	}
}

// panicked adds what recover has returned, and where that was.
func (l *log) panicked(what any) { l.printf("panic: %v\n%s", what, debug.Stack()) }

// text returns the lines, the oldest first.
func (l *log) text() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.kept)
}
