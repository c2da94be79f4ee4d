package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An occupant is a process that keeps a mount busy.
type occupant struct {
	pid  int
	name string
	path string // inside the mount: a working directory, an open file, …
}

func (o occupant) String() string {
	return fmt.Sprintf("%s (process %d) in %s", o.name, o.pid, o.path)
}

// occupants returns the other processes with something of dir open, as far as /proc
// shows them: others' processes are hidden from ordinary users.
func occupants(dir string) []occupant {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var inside []occupant
	for _, process := range processes {
		pid, err := strconv.Atoi(filepath.Base(process))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if path := opened(process, dir); path != "" {
			name, _ := os.ReadFile(filepath.Join(process, "comm"))
			inside = append(inside, occupant{pid, strings.TrimSpace(string(name)), path})
		}
	}
	return inside
}

// opened returns a path below dir that the process uses, "" if there is none.
func opened(process, dir string) string {
	links := []string{filepath.Join(process, "cwd"), filepath.Join(process, "root"), filepath.Join(process, "exe")}
	if files, err := filepath.Glob(filepath.Join(process, "fd", "*")); err == nil {
		links = append(links, files...)
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && isBelow(target, dir) {
			return target
		}
	}
	return ""
}

// describe lists occupants in a sentence's end, and no more than three of them.
func describe(inside []occupant) string {
	if len(inside) == 0 {
		return "a process that can't be seen from here is inside"
	}
	var names []string
	for _, o := range inside[:min(3, len(inside))] {
		names = append(names, o.String())
	}
	text := strings.Join(names, ", ")
	if more := len(inside) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
