package fs

import (
	"encoding/json"
	"fmt"
	"github.com/pifs/pifs/render"
	iofs "io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// metaDir is .pifs: what the file system says of itself. It is not listed in the
// root.
type metaDir struct{ t *Tree }

// metaNames are the files of .pifs; a metaFile's number is its place here.
var metaNames = []string{"version", "stats.json", "skipped", "log"}

func (d metaDir) ID() ID { return makeID(kindMeta, 0, 0) }

func (d metaDir) Ino() uint64 { return inoOf(kindMeta, "") }

func (d metaDir) Attr() (Attr, error) {
	return d.t.metaAttr(iofs.ModeDir | 0o700), nil
}

// metaAttr is the Attr of a node of .pifs, for the user who mounts only.
func (t *Tree) metaAttr(mode iofs.FileMode) Attr {
	return Attr{Mode: mode, UID: uint32(os.Getuid()), GID: uint32(os.Getgid()), MtimeMS: t.started.UnixMilli()}
}

// Lookup finds a file with the text of this moment.
func (d metaDir) Lookup(name string) (Node, error) {
	if n := slices.Index(metaNames, name); n >= 0 {
		return d.t.newMetaFile(uint32(n))
	}
	return nil, ErrNotExist
}

func (d metaDir) Entries() ([]Entry, error) {
	list := make([]Entry, len(metaNames))
	for i, name := range metaNames {
		f, err := d.t.newMetaFile(uint32(i))
		if err != nil {
			return nil, err
		}
		list[i] = Entry{name, f}
	}
	return list, nil
}

// metaFile is a file of .pifs as it was when it was looked up: its length is that
// of what is read later. The newest ones are kept.
type metaFile struct {
	t      *Tree
	number uint32 // counts the files that were looked up; also says which it is
}

// keptMetaFiles is how many texts of .pifs are kept for who looked them up.
const keptMetaFiles = 64

// metaTexts are the newest texts of .pifs, by number.
type metaTexts struct {
	mu   sync.Mutex
	next uint32
	text [keptMetaFiles][]byte
}

// newMetaFile makes the text of a file of .pifs.
func (t *Tree) newMetaFile(which uint32) (Node, error) {
	text, err := t.metaText(metaNames[which])
	if err != nil {
		return nil, err
	}
	t.meta.mu.Lock()
	defer t.meta.mu.Unlock()
	number := t.meta.next*uint32(len(metaNames)) + which
	t.meta.text[t.meta.next%keptMetaFiles] = text
	t.meta.next++
	return wholeFile{metaFile{t, number}}, nil
}

func (f metaFile) which() string { return metaNames[f.number%uint32(len(metaNames))] }

func (f metaFile) ID() ID { return makeID(kindMetaFile, 0, f.number) }

func (f metaFile) Ino() uint64 { return inoOf(kindMetaFile, f.which()) }

func (f metaFile) Attr() (Attr, error) {
	return f.t.metaAttr(0o400), nil
}

func (f metaFile) peek() ([]byte, bool) { return peekCheap(f) }

func (f metaFile) text() ([]byte, error) {
	f.t.meta.mu.Lock()
	defer f.t.meta.mu.Unlock()
	at := f.number / uint32(len(metaNames))
	if f.t.meta.next-at > keptMetaFiles || at >= f.t.meta.next {
		return nil, ErrStale
	}
	return f.t.meta.text[at%keptMetaFiles], nil
}

// metaText makes the text of a file of .pifs.
func (t *Tree) metaText(name string) ([]byte, error) {
	switch name {
	case "version":
		return []byte(t.options.Version + "\n"), nil
	case "stats.json":
		return t.statsJSON()
	case "skipped":
		var b strings.Builder
		for _, s := range t.store.Skipped() {
			fmt.Fprintf(&b, "%s: %s\n", render.Line(s.Path), render.Line(s.Reason))
		}
		return []byte(b.String()), nil
	}
	return t.log.text(), nil
}

// statsJSON is stats.json.
func (t *Tree) statsJSON() ([]byte, error) {
	held, hits, misses := t.cache.Stats()
	st := t.store.Stats()
	text, err := json.MarshalIndent(struct {
		Started     string `json:"started"`
		Sessions    int    `json:"sessions"`
		Projects    int    `json:"projects"`
		Skipped     int    `json:"skipped"`
		Renders     int64  `json:"renders"`
		Calls       int64  `json:"calls"`
		Prefills    int64  `json:"prefills"`
		CacheBudget int64  `json:"cacheBudgetBytes"`
		CacheBytes  int64  `json:"cacheBytes"`
		CacheHits   int64  `json:"cacheHits"`
		CacheMisses int64  `json:"cacheMisses"`
		Scanned     int    `json:"scanned"`
		Restored    int64  `json:"restored"`
		ScanBytes   int64  `json:"scanBytes"`
		Compared    int64  `json:"comparedBytes"`
		BodyBytes   int64  `json:"bodyBytes"`
		OpenFiles   int    `json:"openFiles"`
	}{
		t.started.UTC().Format(time.RFC3339), st.Sessions, len(t.layout().projects), len(t.store.Skipped()),
		t.stats.renders.Load(), t.stats.calls.Load(), t.stats.prefills.Load(), t.options.CacheBytes, held, hits, misses,
		st.Scanned, st.Restored, st.ScanBytes, st.Compared, st.BodyBytes, st.OpenFiles,
	}, "", "  ")
	return append(text, '\n'), err
}
