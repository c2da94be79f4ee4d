package tree

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
)

// build makes a tree of entries that are written as
//
//	KIND ID PARENT [>TARGET] [=TEXT] [@MILLISECONDS] [retained]
//
// where - is a key that is missing and "" the empty string. Entries are divided
// by semicolons and stand on the lines from 2 on.
func build(t *testing.T, session string) *Tree {
	var b Builder
	for i, entry := range strings.Split(session, ";") {
		b.Add(firstLine+i, parseFields(t, entry))
	}
	return b.Tree()
}

func parseFields(t *testing.T, entry string) model.Fields {
	words := strings.Fields(entry)
	f := model.Fields{Kind: kindNamed(words[0])}
	if f.Kind == model.KindUnknown {
		f.Word = words[0]
	}
	f.ID, f.HasID = optional(words[1])
	f.ParentID, f.HasParent = optional(words[2])
	for _, word := range words[3:] {
		switch rest := word[1:]; word[0] {
		case '>':
			f.TargetID, f.HasTarget = optional(rest)
		case '=':
			f.Text = strings.ReplaceAll(rest, "_", " ")
		case '@':
			ms, err := strconv.ParseInt(rest, 10, 64)
			require.NoError(t, err)
			f.Time = ms
		default:
			f.Retained = true
		}
	}
	return f
}

func kindNamed(word string) model.Kind {
	for k := model.KindActiveToolsChange; k >= model.KindUser; k-- { // custom is an entry here, not the role
		if k.String() == word {
			return k
		}
	}
	return model.KindUnknown
}

func optional(word string) (text string, there bool) {
	return strings.ReplaceAll(word, `""`, ""), word != "-"
}

// names writes entries by their IDs.
func names(t *Tree, entries []int32) string {
	var list []string
	for _, i := range entries {
		list = append(list, t.ID(int(i)))
	}
	return strings.Join(list, " ")
}

func name(t *Tree, i int) string {
	if i == None {
		return "none"
	}
	return t.ID(i)
}

func TestStructure(t *testing.T) {
	for _, c := range []struct{ rule, session, paths, roots, leaves, orphans string }{
		{"an empty id and parentId",
			`user a -; user "" a; user b ""; user c b`, `a | a  | b | b c`, "a", "c", ""},
		{"the empty id is its own parent", `user "" ""; user b ""`, ` | b`, "", "b", ""},
		{"several roots", "user a -; user b a; user c -; user d c", "a | a b | c | c d", "a c", "b d", ""},
		{"a parent that is not there", "user a -; user b session-id; user c b", "a | b | b c", "a b", "a c", "b"},
		{"a parent that comes later", "user b a; user a -; user c b", "a b | a | a b c", "a", "c", ""},
		{"its own parent", "user a -; user s s; user b s", "a | s | s b", "a s", "a b", "s"},
		{"a cycle of two", "user a -; user x y; user y x; user b y", "a | x | x y | x y b", "a x", "a b", "x"},
		{"a cycle of three, entered late", "user t b; user c a; user a b; user b c; user d t",
			"c b t | c | c b a | c b | c b t d", "c", "a d", "c"},
		{"a cycle through the empty id is cut there", `user x y; user "" x; user y ""`, "y x | y x  | y", "y", "", "y"},
		{"an id that is used again", "user a -; user b a; user a -; user c b", "line-2 | a b | a | a b c", "a", "c", ""},
		{"an id that is used again closes a cycle", "user a -; user b a; user a b", "line-2 | b | b a", "b", "a", "b"},
		{"an id that is used again opens a cycle", "user x y; user y x; user y -", "y x | y x line-3 | y", "y", "x", ""},
		{"no ids", "user - -; user - -", "line-2 | line-3", "line-2 line-3", "line-2 line-3", ""},
		{"ids like lines", "user - -; user line-2 -; user line-2~2 -; user a line-2",
			"line-2~3 | line-2 | line-2~2 | line-2 a", "line-2~3 line-2 line-2~2", "line-2~3 line-2~2 a", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			tree := build(t, c.session)
			var paths, orphans []string
			for i := range tree.Len() {
				paths = append(paths, names(tree, tree.Path(i)))
				if tree.Orphan(i) {
					orphans = append(orphans, tree.ID(i))
				}
			}
			assert.Equal(t, c.paths, strings.Join(paths, " | "), "paths")
			assert.Equal(t, c.roots, names(tree, tree.Children(None)), "roots")
			assert.Equal(t, c.leaves, names(tree, tree.Leaves()), "leaves")
			assert.Equal(t, c.orphans, strings.Join(orphans, " "), "orphans")
		})
	}
}

func TestLookup(t *testing.T) {
	tree := build(t, "user 0000002a -; user 0000002A -; user a -; user a -; user - -; user line-6 -")
	for id, want := range map[string]int{
		"0000002a": 0, "0000002A": 1, "a": 3, "line-4": 2, "line-6": 5, "line-6~2": 4,
		"line-2": None, "line-06": None, "line-6~1": None, "line-6~3": None, "line-": None,
		"line-99": None, "line-99999999999999999999": None, "": None, "0000002": None,
	} {
		i, ok := tree.Lookup(id)
		assert.Equal(t, want, i, id)
		assert.Equal(t, want != None, ok, id)
	}
}

func TestLinesAreSkippedWhereTheFileHasOthers(t *testing.T) {
	var b Builder
	lines := []int{2, 3, 7, 8, 9, 12}
	for _, line := range lines {
		b.Add(line, model.Fields{})
	}
	for i, line := range lines {
		assert.Equal(t, line, b.Tree().Line(i))
		found, ok := b.Tree().Lookup("line-" + strconv.Itoa(line))
		assert.True(t, ok)
		assert.Equal(t, i, found)
	}
	_, ok := b.Tree().Lookup("line-5")
	assert.False(t, ok)
}

func TestLeafAndCurrent(t *testing.T) {
	for _, c := range []struct{ rule, session, leaf, current, branches string }{
		{"the last entry", "user a -; user b a; user c a", "c", "c", "b c"},
		{"labels, names and the like change nothing", "user a -; assistant b a; label l b >a =x; session_info n l =name; custom u n; usage g u; odd o g",
			"o", "b", "b"},
		{"what changes a context is a tip", "user a -; model_change m a; thinking_level_change t m; context_edit e t >a; active_tools_change k e",
			"k", "k", "k"},
		{"a label in the middle", "user a -; label l a >a =x; user b l", "b", "b", "b"},
		{"a branch of labels only", "user a -; user b a; label l a >a =x", "l", "a", "a b"},
		{"a leaf entry", "user a -; user b a; leaf f b >a", "a", "a", "a b"},
		{"a leaf entry without an id", "user a -; user b a; user c a; leaf - - >b", "b", "b", "b c"},
		{"a leaf entry without a target", "user a -; leaf f a >-", "none", "none", "a"},
		{"a leaf entry whose target is not there", "user a -; user b a; leaf f a >b; leaf g f >nobody", "b", "b", "b"},
		{"what follows a leaf entry", "user a -; user b a; leaf f b >a; user c a", "c", "c", "b c"},
		{"the leaf's id is used again", "user a -; leaf f a >a; leaf a - >nobody", "a", "none", ""},
		{"no entry that counts", "session_info n - =x; label l n >n =y", "l", "none", ""},
		{"a parentId that is empty ends the walk", `user "" -; label l ""`, "l", "none", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			tree := build(t, c.session)
			assert.Equal(t, c.leaf, name(tree, tree.Leaf()), "leaf")
			assert.Equal(t, c.current, name(tree, tree.Current()), "current")
			assert.Equal(t, c.branches, names(tree, tree.Branches()), "branches")
		})
	}
	empty := new(Builder).Tree()
	assert.Equal(t, None, empty.Leaf())
	assert.Equal(t, None, empty.Current())
	assert.Empty(t, empty.Branches())
	assert.Empty(t, empty.Children(None))
}

// Names and labels may be added at any time by pi and by pifs, at the current
// leaf. No branch comes, goes or changes by it.
func TestNamingMakesNoBranch(t *testing.T) {
	for _, session := range []string{
		"user a -", "user a -; user b a; user c a", "user a -; user b a; leaf f b >a", "user a -; leaf f a >-",
		"session_info n - =x", "user a -; label l a >a =x; user b l; custom u a",
	} {
		var b Builder
		for i, entry := range strings.Split(session, ";") {
			b.Add(firstLine+i, parseFields(t, entry))
		}
		before := b.Tree()
		for n := range 4 {
			f := model.Fields{Kind: model.KindLabel, ID: "new" + strconv.Itoa(n), HasID: true, TargetID: "a", HasTarget: true, Text: "x"}
			if n%2 == 0 {
				f = model.Fields{Kind: model.KindSessionInfo, ID: f.ID, HasID: true, Text: "name"}
			}
			if leaf := b.Tree().Leaf(); leaf != None {
				f.ParentID, f.HasParent = b.Tree().ID(leaf), true
			}
			b.Add(firstLine+before.Len()+n, f)
			assert.Equal(t, before.Branches(), b.Tree().Branches(), session)
			assert.Equal(t, before.Current(), b.Tree().Current(), session)
		}
	}
}

func TestNameAndLabels(t *testing.T) {
	for _, c := range []struct{ rule, session, name, labels string }{
		{"none", "user a -", "", ""},
		{"the last name in the file", "session_info n - =first; session_info m - =second", "second", ""},
		{"trimmed", "session_info n - =__a_b__", "a b", ""},
		{"cleared", "session_info n - =first; session_info m -", "", ""},
		{"the last label for a target", "user a -; label l a >a =x; label m - >a =y", "", "y: a by m"},
		{"cleared label", "user a -; label l a >a =x; label m l >a", "", ""},
		{"one label on two", "user a -; user b a; label l b >b =x; label m l >a =x", "", "x: a b by m"},
		{"taken from one of two", "user a -; user b a; label l b >b =x; label m l >a =x; label n m >b =y", "", "x: a by n; y: b by n"},
		{"the same once more", "user a -; label l a >a =x; label m l >a =x", "", "x: a by l"},
		{"a target that is not there", "user a -; label l a >nobody =x; label m l >- =y", "", ""},
		{"a target that comes later", "label l - >a =x; user a -", "", "x: a by l"},
		{"a target whose id is used again", "user a -; label l a >a =x; user a -", "", "x: a by l"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			tree := build(t, c.session)
			text, by := tree.Name()
			assert.Equal(t, c.name, text)
			if strings.Contains(c.session, "session_info") {
				assert.Equal(t, model.KindSessionInfo, tree.Kind(by))
			} else {
				assert.Equal(t, None, by)
			}
			var labels []string
			for _, l := range tree.Labels() {
				labels = append(labels, l.Text+": "+names(tree, l.Entries)+" by "+tree.ID(int(l.By)))
				for _, i := range l.Entries {
					assert.Equal(t, l.Text, tree.Label(int(i)))
				}
			}
			assert.Equal(t, c.labels, strings.Join(labels, "; "))
		})
	}
}

func TestContexts(t *testing.T) {
	for _, c := range []struct{ rule, session, at, want string }{
		{"no compaction", "user a -; assistant b a; user c b", "c", "a b c model b"},
		{"one that keeps a range", "user a -; assistant b a; user c b; compaction k c >b; user d k", "d", "k b c d compaction k model b"},
		{"seen from before it", "user a -; assistant b a; compaction k b >b", "b", "a b model b"},
		{"at itself", "user a -; assistant b a; compaction k b >b", "k", "k b compaction k model b"},
		{"the last of two", "user a -; compaction j a >a; user b j; compaction k b >a; user c k", "c", "k a j b c compaction k"},
		{"without system messages", "system s -; user a s; system r a; compaction k r >s; system q k", "q", "k a q compaction k"},
		{"its own id keeps nothing", "user a -; compaction k a >k; user b k", "b", "k b compaction k"},
		{"a foreign id keeps nothing", "user a -; compaction k a >nobody; user b k", "b", "k b compaction k"},
		{"one on another branch keeps nothing", "user a -; user x a; compaction k a >x; user b k", "b", "k b compaction k"},
		{"no id keeps nothing", "user a -; compaction k a; user b k", "b", "k b compaction k"},
		{"a retained tail keeps nothing", "user a -; compaction k a >a retained; user b k", "b", "k b compaction k"},
		{"settings come from the whole path", "thinking_level_change t -; model_change m t; user a m; compaction k a >k", "k", "k compaction k model m thinking t"},
		{"the last edit counts", "user a -; context_edit e a >a; context_edit f e >a", "f", "a/f e f"},
		{"edits after the entry asked for do not", "user a -; context_edit e a >a; context_edit f e >a", "e", "a/e e"},
		{"an edit before the compaction is not among the entries", "user a -; context_edit e a >a; user b e; compaction k b >b", "k", "k b compaction k"},
		{"but one that is kept is", "user a -; context_edit e a >a; compaction k e >a", "k", "k a/e e compaction k"},
		{"an edit of another branch's entry", "user a -; user x a; context_edit e a >x", "e", "a e"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			tree := build(t, c.session)
			i, ok := tree.Lookup(c.at)
			require.True(t, ok)
			assert.Equal(t, c.want, describe(tree, tree.Context(i)))
		})
	}
	assert.Equal(t, Context{Steps: []Step{}, Compaction: None, ModelAt: None, ThinkingAt: None}, new(Builder).Tree().Context(None))
}

func describe(t *Tree, ctx Context) string {
	var words []string
	for _, step := range ctx.Steps {
		word := t.ID(int(step.Entry))
		if step.Edit != None {
			word += "/" + t.ID(int(step.Edit))
		}
		words = append(words, word)
	}
	for _, setting := range []struct {
		name string
		i    int
	}{{"compaction", ctx.Compaction}, {"model", ctx.ModelAt}, {"thinking", ctx.ThinkingAt}} {
		if setting.i != None {
			words = append(words, setting.name, t.ID(setting.i))
		}
	}
	return strings.Join(words, " ")
}

func TestTimes(t *testing.T) {
	bad := int64(model.NoTime)
	var b Builder
	for i, ms := range []int64{bad, 1, bad, bad, bad, 5, bad, bad} {
		b.Add(firstLine+i, model.Fields{Time: ms})
	}
	var near []int64
	for i := range b.Tree().Len() {
		near = append(near, b.Tree().NearTime(i))
	}
	assert.Equal(t, []int64{1, 1, 1, 1, 5, 5, 5, 5}, near)
	assert.Equal(t, bad, b.Tree().Time(0))
}

func TestWordsAndImages(t *testing.T) {
	var b Builder
	b.Add(2, model.Fields{Kind: model.KindMessageOther, Word: "robot", Images: true})
	b.Add(3, model.Fields{Kind: model.KindUnknown})
	b.Add(4, model.Fields{Kind: model.KindActiveToolsChange})
	tree := b.Tree()
	assert.Equal(t, []string{"robot", "", "active_tools_change"}, []string{tree.Word(0), tree.Word(1), tree.Word(2)})
	assert.Equal(t, model.KindActiveToolsChange, tree.Kind(2))
	assert.True(t, tree.MayHaveImages(0))
	assert.False(t, tree.MayHaveImages(1))
}
