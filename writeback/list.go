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
func laterName(digests []store.Digest) {
	slices.SortFunc(digests, func(a, b store.Digest) int {
		return cmp.Or(cmp.Compare(b.Summary.Modified, a.Summary.Modified), cmp.Compare(b.Session.Name(), a.Session.Name()))
	})
}

// list returns those of the sessions below dir that are wanted, sorted.
func list(ctx context.Context, dir string, wanted func(*store.Session) bool, sort func([]store.Digest)) ([]Info, error) {
	st, err := store.Open(ctx, []string{dir}, store.Options{})
	if errors.Is(err, store.ErrNoStore) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer st.Close()
	var digests []store.Digest
	err = st.DigestAll(ctx, runtime.GOMAXPROCS(0), func(s *store.Session, d store.Digest, err error) {
		if err == nil && wanted(s) { // Like pi it leaves out what cannot be read.
			digests = append(digests, d)
		}
	})
	if err != nil {
		return nil, err
	}
	sort(digests)
	infos := make([]Info, len(digests))
	for i, d := range digests {
		if infos[i], err = infoOf(d); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

func infoOf(d store.Digest) (Info, error) {
	first, err := d.FirstMessage()
	return Info{
		Path:          d.Session.Path,
		ID:            d.Header().ID.Text(),
		Cwd:           d.Header().Cwd.Text(),
		Name:          d.Summary.Name,
		ParentSession: d.Header().ParentSession.Text(),
		Created:       timeOf(d.Summary.Created),
		Modified:      timeOf(d.Summary.Modified),
		MessageCount:  d.Summary.MessageCount,
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
