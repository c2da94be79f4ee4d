package writeback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/pifs/pifs/store"
)

// Delete deletes a session's file as pi does: the `trash` command is asked to, and
// where there is none, or it fails, the file is unlinked. trashed tells that it was
// the former. ErrStale if the file is no longer the session's, ErrBusy if another
// program has locked it. When ctx ends the command is killed and nothing more is
// done.
func Delete(ctx context.Context, s *store.Session) (trashed bool, err error) {
	if _, err := s.Refresh(); err != nil {
		return false, stale(err)
	}
	if err := (Options{}).writer().foreignLock(s.Path); err != nil {
		return false, err
	}
	return deleteFile(ctx, s.Path)
}

// deleteFile is pi's deleteSessionFile.
func deleteFile(ctx context.Context, path string) (trashed bool, err error) {
	args := []string{path}
	if strings.HasPrefix(path, "-") {
		args = []string{"--", path}
	}
	cmd := exec.CommandContext(ctx, "trash", args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	trashError := cmd.Run()
	if ctx.Err() != nil {
		return false, fmt.Errorf("trash %s: %w", path, ctx.Err())
	}
	if _, err := os.Lstat(path); trashError == nil || errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err := os.Remove(path); err != nil {
		if errors.Is(trashError, exec.ErrNotFound) {
			return false, err
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n"); first != "" {
			trashError = fmt.Errorf("%w: %s", trashError, first)
		}
		return false, fmt.Errorf("%w (trash: %w)", err, trashError)
	}
	return false, nil
}
