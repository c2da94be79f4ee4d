package writeback

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

// Info is what pi's session picker shows of a session.
type Info struct {
	Path          string
	ID            string
	Cwd           string // "" for old sessions
	Name          string // "" if none
	ParentSession string // path of the session it was forked from, "" if none
	Created       time.Time
	Modified      time.Time // of the last user or assistant message
	MessageCount  int
	FirstMessage  string // text of the first user message, or "(no messages)"
}

// List returns the sessions of the working directory cwd, the last used first: pi's
// list. For dir see [SessionOptions]: of another directory than pi's own for cwd
// only the sessions that have this cwd. A directory that is not there has none. It
// returns early, with ctx's error, when ctx is done.
func List(ctx context.Context, cwd, dir string) ([]Info, error) {
	directory, matches := discovery(cwd, dir)
	return list(ctx, directory, func(s *store.Session) bool {
		return filepath.Base(s.Rel) == s.Rel && matches(s.Header().Raw)
	}, laterName)
}

// ListAll returns the sessions of all working directories: pi's listAll. They are
// those in the directory dir, or, if it is "", in the directories of
// [AgentDir]/sessions.
func ListAll(ctx context.Context, dir string) ([]Info, error) {
	if dir != "" {
		return list(ctx, expandTilde(dir), func(s *store.Session) bool {
			return filepath.Base(s.Rel) == s.Rel
		}, laterName)
	}
	return list(ctx, filepath.Join(AgentDir(), "sessions"), func(s *store.Session) bool {
		return strings.Count(s.Rel, "/") == 1
	}, store.SortAsPi)
}

// laterName sorts the sessions of one directory: those last used first, and among
// equals the later file name.
func laterName(views []*store.View) {
	slices.SortFunc(views, func(a, b *store.View) int {
		return cmp.Or(cmp.Compare(b.Summary.Modified, a.Summary.Modified), cmp.Compare(b.Session.Name(), a.Session.Name()))
	})
}

// list returns those of the sessions below dir that are wanted, sorted.
func list(ctx context.Context, dir string, wanted func(*store.Session) bool, sort func([]*store.View)) ([]Info, error) {
	st, err := store.Open(ctx, []string{dir}, store.Options{})
	if errors.Is(err, store.ErrNoStore) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer st.Close()
	var views []*store.View
	err = st.ScanAll(ctx, runtime.GOMAXPROCS(0), func(s *store.Session, v *store.View, err error) {
		if err == nil && wanted(s) { // Like pi it leaves out what cannot be read.
			views = append(views, v)
		}
	})
	if err != nil {
		return nil, err
	}
	sort(views)
	infos := make([]Info, len(views))
	for i, v := range views {
		if infos[i], err = infoOf(v); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

func infoOf(v *store.View) (Info, error) {
	first, err := v.FirstMessage()
	return Info{
		Path:          v.Session.Path,
		ID:            v.Header.ID.Text(),
		Cwd:           v.Header.Cwd.Text(),
		Name:          v.Summary.Name,
		ParentSession: v.Header.ParentSession.Text(),
		Created:       timeOf(v.Summary.Created),
		Modified:      timeOf(v.Summary.Modified),
		MessageCount:  v.Summary.MessageCount,
		FirstMessage:  cmp.Or(first, "(no messages)"),
	}, err
}

// timeOf returns the zero time for what is no time.
func timeOf(ms int64) time.Time {
	if ms == model.NoTime {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// AllMessagesText returns the text of all user and assistant messages, which pi's
// picker searches. It reads the file.
func (i Info) AllMessagesText() (string, error) {
	c, _, err := load(i.Path)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, raw := range c.entries {
		e := model.DecodeEntry(raw)
		if e.Kind != model.KindUser && e.Kind != model.KindAssistant {
			continue
		}
		if text := blocksText(model.DecodeMessage(e.Message).Content, " "); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " "), nil
}
