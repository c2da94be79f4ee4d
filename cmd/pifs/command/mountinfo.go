package command

import (
	"bufio"
	"io"
	"os"
	"os/user"
	"strconv"
	"strings"
)

// fsType is the file system type that the kernel shows for our mounts.
const fsType = "fuse.pifs"

// A mountEntry is a line of /proc/self/mountinfo, as far as it is used.
type mountEntry struct {
	device     string // major:minor
	mountpoint string
	fsType     string
	owner      uint32 // of a FUSE mount, who has mounted it
}

// mounts returns the mounts that this process sees, in the order of mounting.
func mounts() ([]mountEntry, error) {
	file, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseMountinfo(file)
}

// topMount returns what is mounted on a directory: the last of its mounts, which
// hides the others. ok is false if it is no mountpoint.
func topMount(mounts []mountEntry, dir string) (top mountEntry, ok bool) {
	for _, m := range mounts {
		if m.mountpoint == dir {
			top, ok = m, true
		}
	}
	return top, ok
}

// mountAround returns the mount of ours that a path without links is below.
func mountAround(mounts []mountEntry, path string) (around mountEntry, ok bool) {
	for _, m := range mounts {
		if m.fsType == fsType && isBelow(path, m.mountpoint) {
			around, ok = m, true
		}
	}
	return around, ok
}

// otherUser returns the name of the user who has mounted it, "" for this one.
func (m mountEntry) otherUser() string {
	if m.owner == uint32(os.Getuid()) {
		return ""
	}
	uid := strconv.FormatUint(uint64(m.owner), 10)
	if other, err := user.LookupId(uid); err == nil {
		return other.Username
	}
	return "user " + uid
}

// parseMountinfo reads the format of proc_pid_mountinfo(5). Lines that it does
// not understand are skipped.
func parseMountinfo(r io.Reader) ([]mountEntry, error) {
	var entries []mountEntry
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		// id parent major:minor root mountpoint options [tag...] - type source options
		before, after, found := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(before)
		kind, rest, _ := strings.Cut(after, " ")
		if !found || len(fields) < 6 || kind == "" {
			continue
		}
		entries = append(entries, mountEntry{fields[2], unescapeOctal(fields[4]), unescapeOctal(kind), ownerOf(rest)})
	}
	return entries, lines.Err()
}

// ownerOf returns the user_id among the options of a file system, 0 without one.
func ownerOf(options string) uint32 {
	_, after, _ := strings.Cut(options, "user_id=")
	digits, _, _ := strings.Cut(after, ",")
	uid, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(uid)
}

// unescapeOctal undoes the kernel's mangle_path: space, tab, newline, backslash
// and # stand there as a backslash and three octal digits.
func unescapeOctal(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
