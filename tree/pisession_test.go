package tree_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/tree"
)

// A piView is what `scripts/oracle/run views` says of a session.
type piView struct {
	File     string
	Error    string
	Version  any
	Header   string
	Name     *string
	Leaf     *int
	Labels   []*string
	Roots    []int
	Leaves   []int
	Children [][]int
	Totals   struct {
		Throws                                     string
		Input, Output, CacheRead, CacheWrite, Cost float64
	}
	Bodies, Contexts, LLM, Retained []*string // hashes
}

// A session is a file as pifs sees it.
type session struct {
	version int // 0 where it is none that pi migrates
	header  model.Header
	tree    *tree.Tree
	entries []model.Entry
	hashes  map[messageKey][]messageHash
}

// A messageKey is what the messages of a step depend on.
type messageKey struct {
	step  tree.Step
	first bool
}

type messageHash struct{ stored, llm string } // llm is "" where the model is sent nothing

// openSessions returns the session files below a directory, by path.
func openSessions(t *testing.T, dir string) map[string]*store.Session {
	st, err := store.Open(t.Context(), []string{dir}, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, st.Close()) })
	sessions := make(map[string]*store.Session)
	for _, s := range st.Sessions() {
		sessions[s.Path] = s
	}
	return sessions
}

func readSession(t *testing.T, stored *store.Session) *session {
	view, err := stored.View()
	require.NoError(t, err)
	s := &session{version: view.Version, header: view.Header, tree: view.Tree, hashes: make(map[messageKey][]messageHash)}
	for i := range view.Tree.Len() {
		entry, err := view.Entry(i)
		require.NoError(t, err)
		s.entries = append(s.entries, entry)
	}
	return s
}

func (s *session) entry(i int) *model.Entry {
	if i == tree.None {
		return nil
	}
	return &s.entries[i]
}

// isPlain tells whether pi's tree is a tree: an id leads to each entry. Leaf entries
// are not plain either, pi does not know them.
func (s *session) isPlain(pi piView) bool {
	isLeaf := func(e model.Entry) bool { return e.Kind == model.KindLeaf }
	return !slices.Contains(pi.Contexts, nil) && !slices.ContainsFunc(s.entries, isLeaf)
}

// hasRetainedTail tells whether the context at entry i begins with a retained tail.
func (s *session) hasRetainedTail(i int) bool {
	compaction := s.entry(s.tree.Context(i).Compaction)
	return compaction != nil && compaction.RetainedTail.Truthy()
}

// messages returns the messages of a step; edited tells whether edits count.
func (s *session) messages(step tree.Step, n int, edited bool) []model.Value {
	if !edited {
		step.Edit = tree.None
	}
	return tree.Messages(s.entries[step.Entry], n, s.entry(int(step.Edit)))
}

// contextHashes returns the hashes of the context at entry i and of what a model
// is sent of it.
func (s *session) contextHashes(i int, edited bool) (context, llm string) {
	ctx := s.tree.Context(i)
	var stored, sent strings.Builder
	for n, step := range ctx.Steps {
		if !edited {
			step.Edit = tree.None
		}
		key := messageKey{step, n == 0}
		if _, known := s.hashes[key]; !known {
			hashes := []messageHash{}
			for _, message := range s.messages(step, n, edited) {
				hash := messageHash{stored: hashOf(canonical(message))}
				if m := tree.ToLLM(message); m != nil {
					hash.llm = hashOf(canonical(m))
				}
				hashes = append(hashes, hash)
			}
			s.hashes[key] = hashes
		}
		for _, hash := range s.hashes[key] {
			stored.WriteString(hash.stored)
			sent.WriteString(hash.llm)
		}
	}
	mdl, level := tree.ModelAndThinking(s.entry(ctx.ModelAt), s.entry(ctx.ThinkingAt))
	return hashOf(hashOf(stored.String()) + canonical(level) + canonical(mdl)), hashOf(sent.String())
}

// context returns the context at entry i as pi would print it.
func (s *session) context(i int) string {
	return string(tree.BuildSessionContext(s.entries, s.tree.ID(i)))
}

// body is the hash of entry i without what pi draws at random in version 1.
func (s *session) body(i int) string {
	raw := s.entries[i].Raw
	if s.version == 1 {
		raw = raw.With("id", nil).With("parentId", nil).With("firstKeptEntryId", nil)
	}
	return hashOf(canonical(raw))
}

func (s *session) totals() (u model.Usage) {
	for _, e := range s.entries {
		if spent, ok := model.EntryUsage(e); ok {
			u.Add(spent)
		}
	}
	return u
}
