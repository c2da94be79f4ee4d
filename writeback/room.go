package writeback

import (
	"fmt"
	"os"

	"github.com/pifs/pifs/store"
	"golang.org/x/sys/unix"
)

// CheckPlan is [Check] for an Append of plan: it returns the plan's errors, too, and
// ENOSPC if the disk has no room for what it would append. A shell passes over the
// errors of closing a file, so that what is only found out then is told to nobody.
func CheckPlan(s *store.Session, plan Plan) error {
	if err := Check(s); err != nil {
		return err
	}
	v, err := s.View()
	if err != nil {
		return stale(err)
	}
	lines, err := compose(v, plan)
	if err != nil || len(lines) == 0 {
		return err
	}
	return checkRoom(s, int64(len(lines)))
}

// shortestLine is about how long the shortest line is that an append writes.
const shortestLine = 100

// checkRoom returns ENOSPC if the disk has no room for so many bytes more in the
// session's file, or for another file if it has to be migrated.
func checkRoom(s *store.Session, sizeBytes int64) error {
	var file unix.Stat_t
	var disk unix.Statfs_t
	if err := unix.Stat(s.Path, &file); err != nil {
		return &os.PathError{Op: "stat", Path: s.Path, Err: err}
	}
	if err := unix.Statfs(s.Path, &disk); err != nil {
		return &os.PathError{Op: "statfs", Path: s.Path, Err: err}
	}
	missing := sizeBytes
	if old(s) {
		missing += file.Size
	} else {
		const blockBytes = 512 // of st_blocks, whatever the disk's are
		missing -= max(0, file.Blocks*blockBytes-file.Size)
	}
	free := disk.Bavail
	if os.Geteuid() == 0 {
		free = disk.Bfree // with what is reserved for root
	}
	// Some network file systems tell of no blocks at all.
	if missing > 0 && disk.Blocks > 0 && uint64((missing-1)/disk.Frsize) >= free {
		return fmt.Errorf("%s: %d bytes more: %w", s.Path, sizeBytes, unix.ENOSPC)
	}
	return nil
}
