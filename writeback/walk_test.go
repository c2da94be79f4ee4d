package writeback_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
)

// TestWalk makes the same random calls on the real pi's SessionManager and on
// Session. After each call the answers must agree, and every few calls all that
// the getters tell and the bytes of all files, but for ids and times.
//
// PIFS_WALK_SEED and PIFS_WALK_CALLS repeat or lengthen a walk.
func TestWalk(t *testing.T) {
	needs.Pi(t)
	seeds, calls := []uint64{1, 2, 3, 4}, 600
	if long() {
		seeds, calls = nil, 1000
		for seed := range uint64(20) {
			seeds = append(seeds, seed+1)
		}
	}
	if seed := envInt("PIFS_WALK_SEED", 0); seed != 0 {
		seeds = []uint64{uint64(seed)}
	}
	calls = envInt("PIFS_WALK_CALLS", calls)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { walk(t, seed, calls) })
	}
}

func walk(t *testing.T, seed uint64, calls int) {
	w := newWalker(t, seed)
	w.run(command{"create", []any{"@/home/alpha", "@/flat"}})
	for w.calls < calls {
		w.step()
		if w.calls%20 == 0 {
			w.run(command{"snapshot", nil})
		}
		if w.calls%100 == 0 {
			w.compareFiles()
		}
	}
	w.run(command{"snapshot", nil})
	w.compareFiles()
	if !w.separators {
		w.setTimes()
		w.run(command{"listAll", nil})
		w.run(command{"listAll", []any{"@/flat"}})
		w.run(command{"list", []any{"@/home/alpha", "@/flat"}})
		w.run(command{"list", []any{"@/home/beta", undefined}})
	}
	t.Logf("seed %d: %d calls, %d of them errors on both sides, %d files", seed, w.calls, w.errors, len(w.lib.files))
}

// A command is a call that both sides make.
type command struct {
	method string
	args   []any
}

func (c command) String() string {
	args, _ := json.Marshal(c.args)
	return c.method + string(args)
}

// A walker makes calls on the real pi and on the library, each on files below a
// root of its own.
type walker struct {
	t     *testing.T
	rng   *rand.Rand
	pi    *pi
	lib   *library
	roots [2]string // of pi and of the library
	names [2]*normalizer

	trace  []string
	calls  int
	errors int
	serial int // of paths and texts that must differ

	separators bool // texts may have lineSeparators
}

func newWalker(t *testing.T, seed uint64) *walker {
	w := &walker{t: t, rng: rand.New(rand.NewPCG(seed, 0)), separators: seed%2 == 1}
	for i := range w.roots {
		w.roots[i] = t.TempDir()
		w.names[i] = newNormalizer(w.roots[i])
	}
	t.Setenv("PI_CODING_AGENT_DIR", filepath.Join(w.roots[0], "agent"))
	w.pi = startPi(t, "walk", w.roots[0])
	t.Setenv("PI_CODING_AGENT_DIR", filepath.Join(w.roots[1], "agent"))
	w.lib = &library{root: w.roots[1]}
	return w
}

// run makes one call on both sides and compares the answers.
func (w *walker) run(c command) {
	w.t.Helper()
	w.calls++
	w.trace = append(w.trace, fmt.Sprintf("%.200s", c))
	his := w.pi.call(c.method, c.args...)
	ours := w.lib.call(c)
	if isError(his) && isError(ours) { // The words may differ.
		w.errors++
		if c.method == "setSessionFile" { // It has left pi's manager half changed.
			w.run(command{"create", []any{"@/home/alpha", "@/flat"}})
		}
		return
	}
	w.equal(c.String(), string(his), string(ours))
}

func isError(answer []byte) bool { return strings.HasPrefix(string(answer), `{"error"`) }

// equal compares two JSON texts but for ids, times and roots.
func (w *walker) equal(what, his, ours string) {
	w.t.Helper()
	his, ours = w.names[0].normalize(his), w.names[1].normalize(ours)
	if his == ours {
		return
	}
	var a, b any
	require.NoError(w.t, json.Unmarshal([]byte(his), &a), his)
	require.NoError(w.t, json.Unmarshal([]byte(ours), &b), ours)
	require.Equal(w.t, a, b, "call %d: %s\nafter\n%s", w.calls, what, w.tail())
}

// compareFiles compares all files below the two roots, byte for byte.
func (w *walker) compareFiles() {
	w.t.Helper()
	his, ours := w.files(0), w.files(1)
	require.ElementsMatch(w.t, slices.Collect(maps.Keys(his)), slices.Collect(maps.Keys(ours)), "after\n%s", w.tail())
	for path, text := range his {
		lines := strings.Split(ours[path], "\n")
		for i, line := range strings.Split(text, "\n") {
			require.Less(w.t, i, len(lines), "%s has no line %d after\n%s", path, i+1, w.tail())
			require.Equal(w.t, line, lines[i], "%s line %d after\n%s", path, i+1, w.tail())
		}
		require.Equal(w.t, text, ours[path], path)
	}
}

// tail returns the last calls.
func (w *walker) tail() string { return strings.Join(w.trace[max(0, len(w.trace)-30):], "\n") }

// files returns the normalized contents of the session files below a root.
func (w *walker) files(side int) map[string]string {
	w.t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(w.roots[side], func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[w.names[side].normalize(path)] = w.names[side].normalize(string(data))
		return err
	})
	require.NoError(w.t, err)
	return files
}

// A normalizer gives ids numbers in the order in which they come up, and takes out
// times and the root directory.
type normalizer struct {
	root  string
	since time.Time
	ids   map[string]string
}

func newNormalizer(root string) *normalizer {
	return &normalizer{root, time.Now().Add(-time.Minute), make(map[string]string)}
}

var (
	anyID     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"[0-9a-f]{8}"`)
	anyTime   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z`)
	plainTime = strings.NewReplacer(":", "-", ".", "-")
	anyStamp  = regexp.MustCompile(`"timestamp":\d{13}`)
)

func (n *normalizer) normalize(text string) string {
	text = strings.ReplaceAll(text, n.root, "@")
	text = strings.ReplaceAll(text, strings.ReplaceAll(n.root[1:], "/", "-"), "@") // in a directory's name
	since := plainTime.Replace(n.since.UTC().Format("2006-01-02T15:04:05"))
	text = anyTime.ReplaceAllStringFunc(text, func(stamp string) string {
		if plainTime.Replace(stamp) < since {
			return stamp
		}
		return "TIME"
	})
	text = anyStamp.ReplaceAllStringFunc(text, func(member string) string {
		if strings.TrimPrefix(member, `"timestamp":`) < fmt.Sprint(n.since.UnixMilli()) {
			return member
		}
		return `"timestamp":0`
	})
	return anyID.ReplaceAllStringFunc(text, func(id string) string {
		if n.ids[id] == "" {
			n.ids[id] = fmt.Sprintf(`id %d`, len(n.ids))
			if id[0] == '"' {
				n.ids[id] = `"` + n.ids[id] + `"`
			}
		}
		return n.ids[id]
	})
}
