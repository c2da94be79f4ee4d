package fs

import (
	"context"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
)

const (
	prefilledSessions = 24
	prefilledEntries  = 200
	// prefilledCache has room for the text of a few of the sessions.
	prefilledCache = 2 << 20
)

// prefilledStore is a store at rest whose transcripts take several times
// prefilledCache. It returns these by their paths in a mount, which stand in order.
func prefilledStore(t testing.TB) (dir string, paths []string, transcripts map[string]string) {
	dir = t.TempDir()
	for i := range prefilledSessions {
		var lines []string
		for n := range prefilledEntries {
			text := fmt.Sprintf("session %d, entry %d %s", i, n, strings.Repeat("word ", 150+n))
			lines = append(lines, userLine(fmt.Sprintf("%08x", n), "", text))
		}
		writeSession(t, filepath.Join(dir, fmt.Sprintf("s%02d.jsonl", i)), fmt.Sprint(i), "/p", "", lines...)
	}
	atRest(t, dir)
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(t, err)
	defer st.Close()
	tree := New(st, Options{}).FS()
	transcripts = make(map[string]string)
	for i := range prefilledSessions {
		path := fmt.Sprintf("p/s%02d/%s", i, nameTranscript)
		text, err := iofs.ReadFile(tree, path)
		require.NoError(t, err)
		transcripts[path] = string(text)
		paths = append(paths, path)
	}
	return dir, paths, transcripts
}

// TestPrefill asks for the lengths of all transcripts before it reads them, with a cache
// that is smaller than they are: none is made twice, and none is read from the daemon.
func TestPrefill(t *testing.T) {
	dir, paths, transcripts := prefilledStore(t)
	for _, readOnly := range []bool{true, false} {
		root := mount(t, Options{ReadOnly: readOnly, CacheBytes: prefilledCache}, dir)
		for _, path := range paths {
			info, err := os.Stat(filepath.Join(root, path))
			require.NoError(t, err)
			require.EqualValues(t, len(transcripts[path]), info.Size())
		}
		before := statsOf(t, root)
		assert.EqualValues(t, prefilledSessions, before.Prefills)
		assert.EqualValues(t, prefilledSessions*prefilledEntries, before.Renders)
		for _, path := range paths {
			got, err := os.ReadFile(filepath.Join(root, path))
			require.NoError(t, err)
			require.Equal(t, transcripts[path], string(got), path)
		}
		after := statsOf(t, root)
		assert.Equal(t, before.Renders, after.Renders)
		assert.Equal(t, before.Prefills, after.Prefills)
		most := int64(1) // GETATTR
		if !readOnly {
			most += 2 // OPEN and RELEASE
		}
		assert.LessOrEqual(t, after.Calls-before.Calls, most*prefilledSessions+8, "messages, with those for stats.json")
	}
}

// TestPrefillGrows appends to sessions whose transcripts the kernel was given, and to
// one whose transcript it was not, because it was just written to.
func TestPrefillGrows(t *testing.T) {
	dir, paths, transcripts := prefilledStore(t)
	live := filepath.Join(dir, "s01.jsonl")
	require.NoError(t, os.Chtimes(live, time.Time{}, time.Now()))
	root := mount(t, Options{ReadOnly: true}, dir)
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		return string(text)
	}
	for _, path := range paths {
		require.Equal(t, transcripts[path], read(path), path)
	}
	require.EqualValues(t, prefilledSessions-1, statsOf(t, root).Prefills)
	for i, path := range paths[:3] {
		appendTo(t, filepath.Join(dir, fmt.Sprintf("s%02d.jsonl", i)), userLine("ffffffff", "000000c7", "appended"))
		eventually(t, path, func() bool {
			text := read(path)
			return strings.HasPrefix(text, transcripts[path]) && strings.HasSuffix(text, "\nappended\n\n")
		})
	}
}

// TestPrefillAtOnce has many look at and read the same files for the first time: each
// read gives all of the text.
func TestPrefillAtOnce(t *testing.T) {
	dir, paths, transcripts := prefilledStore(t)
	for _, readOnly := range []bool{true, false} {
		root := mount(t, Options{ReadOnly: readOnly, CacheBytes: prefilledCache}, dir)
		var readers sync.WaitGroup
		for seed := range uint64(8) {
			readers.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 0))
				for n := range 2 * prefilledSessions {
					path := paths[(n+rng.IntN(3))%prefilledSessions]
					if seed%2 == 0 {
						info, err := os.Stat(filepath.Join(root, path))
						if assert.NoError(t, err) {
							assert.EqualValues(t, len(transcripts[path]), info.Size())
						}
					}
					got, err := os.ReadFile(filepath.Join(root, path))
					if assert.NoError(t, err) && string(got) != transcripts[path] {
						assert.Fail(t, "another text", "%s: %d bytes of %d", path, len(got), len(transcripts[path]))
					}
				}
			})
		}
		readers.Wait()
		assert.NotZero(t, statsOf(t, root).Prefills)
	}
}

// TestPrefillKilled kills the daemon while it gives the kernel texts that many ask for:
// it ends, and all who wait for it.
func TestPrefillKilled(t *testing.T) {
	rounds := 10
	if long() {
		rounds = 300
	}
	dir, paths, _ := prefilledStore(t)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for range rounds {
		at := t.TempDir()
		daemon := serve(t, at, Options{ReadOnly: rng.IntN(2) == 0, CacheBytes: prefilledCache}, dir)
		var readers sync.WaitGroup
		for n := range 8 {
			readers.Go(func() {
				for _, path := range paths {
					if n%2 == 0 {
						_, _ = os.Stat(filepath.Join(at, path))
					}
					_, _ = os.ReadFile(filepath.Join(at, path))
				}
			})
		}
		time.Sleep(time.Duration(rng.IntN(60_000)) * time.Microsecond)
		require.NoError(t, daemon.Process.Kill())
		if !assert.EqualError(t, waitFor(daemon), "signal: killed") {
			_ = syscall.Unmount(at, syscall.MNT_FORCE)
		}
		readers.Wait()
		require.NoError(t, syscall.Unmount(at, syscall.MNT_DETACH))
	}
}
