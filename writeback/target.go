package writeback

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pifs/pifs/store"
)

// A target is the session that an append is meant for. Its file may be replaced
// while the append waits for the lock or writes: another pifs that migrates the
// session does that, or an editor. What is there then is the same session if its
// header has the same id.
type target struct {
	first   *store.Session // the one that the caller has
	present *store.Session // first, or what has taken its place
	opened  *store.Store   // that present is of, nil if it is first
}

// look returns the session as its file is now. store.ErrReplaced if another session
// is in its place, or none.
func (t *target) look() (*store.View, error) {
	v, err := t.present.Refresh()
	if !errors.Is(err, store.ErrReplaced) {
		return v, err
	}
	t.close()
	path := t.first.Path
	t.opened, err = store.Open(context.Background(), []string{filepath.Dir(path)}, store.Options{})
	if err != nil {
		return nil, err
	}
	for _, s := range t.opened.Sessions() {
		if s.Path == path && s.Header().ID.Text() == t.first.Header().ID.Text() {
			t.present = s
			return s.View()
		}
	}
	return nil, store.ErrReplaced
}

func (t *target) close() {
	if t.opened != nil {
		t.opened.Close()
	}
}
