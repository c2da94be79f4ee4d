package command

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressDelay is how long a command works before it shows that it does.
const progressDelay = time.Second

// A progress is a line on a terminal that counts what a long command has done.
// Nobody sees it where there is no terminal, or where there is nothing to wait
// for. Its methods are for one goroutine.
type progress struct {
	terminal io.Writer // nil: nothing is shown
	what     string
	next     time.Time
	shown    bool
}

// newProgress counts things of a kind, like "sessions read".
func newProgress(w io.Writer, what string) *progress {
	p := &progress{what: what, next: time.Now().Add(progressDelay)}
	if file, ok := w.(*os.File); ok && isTerminal(file) {
		p.terminal = file
	}
	return p
}

// set shows a count. A total of 0 is not known.
func (p *progress) set(done, total int) {
	now := time.Now()
	if p.terminal == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressDelay / 10)
	p.shown = true
	if total > 0 {
		fmt.Fprintf(p.terminal, "\r\x1b[K%d of %d %s", done, total, p.what)
	} else {
		fmt.Fprintf(p.terminal, "\r\x1b[K%d %s", done, p.what)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.terminal, "\r\x1b[K")
	}
}
