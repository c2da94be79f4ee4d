package store

import (
	"bufio"
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// errOwnMount is why a directory is not listed.
var errOwnMount = errors.New("a mount of pifs")

// ownMounts returns the devices of the trees that are mounted by pifs. A link in a
// store may lead to a directory above a mountpoint, and the process that answers
// for a mount must not wait for an answer from it.
func ownMounts() map[uint64]bool {
	devices := make(map[uint64]bool)
	file, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return devices
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		before, after, _ := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(before)
		if strings.HasPrefix(after, "fuse.pifs ") && len(fields) > 2 {
			devices[deviceOf(fields[2])] = true
		}
	}
	return devices
}

// deviceOf reads "major:minor".
func deviceOf(text string) uint64 {
	var numbers [2]uint32
	for i, digits := range strings.SplitN(text, ":", 2) {
		for _, d := range digits {
			numbers[i] = numbers[i]*10 + uint32(d-'0')
		}
	}
	return unix.Mkdev(numbers[0], numbers[1])
}

// statDirectory is statPath for what may be on one of the devices: that asks no
// file system for news before it is known which one it is.
func statDirectory(path string, mounts map[uint64]bool) (facts, error) {
	if len(mounts) > 0 {
		var st unix.Statx_t
		err := ignoringEINTR(func() error { return unix.Statx(unix.AT_FDCWD, path, unix.AT_STATX_DONT_SYNC, unix.STATX_TYPE, &st) })
		if err == nil && mounts[unix.Mkdev(st.Dev_major, st.Dev_minor)] {
			return facts{}, errOwnMount
		}
	}
	return statPath(path)
}
