package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edge is what is made of each of the odd files in testdata/edge. The leaf is the
// current entry's id, "" for none; warnings are line:code.
var edge = map[string]struct {
	skipped  string
	entries  int
	damaged  int
	leaf     string
	name     string
	title    string
	readOnly string
	version  int
	warnings []string
}{
	"bad-timestamps":                 {entries: 3, leaf: "c", version: 3, warnings: []string{"1:bad-time"}},
	"blank-lines":                    {entries: 2, leaf: "b", version: 3},
	"bom":                            {entries: 2, leaf: "b", version: 3, warnings: []string{"1:bom"}},
	"branch-summary-from-root":       {entries: 4, leaf: "c", version: 3},
	"compaction-retainedTail":        {entries: 4, leaf: "c", version: 3},
	"corrupt-header":                 {skipped: "the header is damaged"},
	"crlf":                           {entries: 2, leaf: "b", version: 3, warnings: []string{"1:crlf"}},
	"deep-nesting":                   {entries: 3, leaf: "b", version: 3},
	"duplicate-id-different-content": {entries: 3, leaf: "b", version: 3, warnings: []string{"2:duplicate-id"}},
	"duplicate-ids-preamble":         {entries: 7, leaf: "F", name: "two", version: 3, warnings: []string{"2:duplicate-id", "3:duplicate-id"}},
	"empty":                          {skipped: "empty"},
	"fork-child":                     {entries: 4, leaf: "d", version: 3},
	"fork-parent":                    {entries: 2, leaf: "b", version: 3},
	"fork-parent-is-uuid":            {entries: 1, leaf: "a", version: 3},
	"fork-parent-missing":            {entries: 1, leaf: "a", version: 3},
	"forward-reference":              {entries: 2, leaf: "a", version: 3},
	"harness-codec-lookalike":        {skipped: `no session header: the first line is of type "header"`},
	"header-on-line-2-title-slot": {entries: 9, leaf: "st", title: "Slot title", version: 3,
		readOnly: "another program's title line stands before the header", warnings: []string{"0:read-only", "1:title-line"}},
	"header-only":                {version: 3},
	"images-and-bash":            {entries: 10, leaf: "nullc", version: 3},
	"invalid-utf8":               {entries: 1, damaged: 1, leaf: "b", version: 3, warnings: []string{"2:damaged", "3:orphan"}},
	"json-mode-stream-lookalike": {entries: 5, leaf: "line-6", version: 3, warnings: []string{"2:no-id", "2:bad-time"}},
	"leaf-entry-null-target":     {entries: 3, version: 3},
	"leaf-entry-without-id":      {entries: 4, leaf: "b", version: 3, warnings: []string{"5:no-id", "5:bad-time"}},
	"missing-header":             {skipped: `no session header: the first line is of type "message"`},
	"missing-newline-junction":   {entries: 2, damaged: 1, leaf: "d", version: 3, warnings: []string{"3:glued", "4:orphan"}},
	"missing-type":               {entries: 4, leaf: "a", version: 3, warnings: []string{"2:no-id", "2:no-type", "2:bad-time"}},
	"multiple-roots":             {entries: 4, leaf: "d", version: 3},
	"no-final-newline":           {entries: 2, leaf: "b", version: 3},
	"nul-run":                    {entries: 2, damaged: 1, leaf: "c", version: 3, warnings: []string{"3:nul", "4:orphan"}},
	"orphan-parents":             {entries: 3, leaf: "c", version: 3, warnings: []string{"2:orphan", "4:orphan"}},
	"parent-is-session-id":       {entries: 3, leaf: "b", version: 3, warnings: []string{"2:orphan", "3:orphan"}},
	"parent-is-toolcall-id":      {entries: 4, leaf: "d", version: 3, warnings: []string{"4:orphan"}},
	"raw-newline-in-string":      {entries: 2, damaged: 2, leaf: "c", version: 3, warnings: []string{"3:damaged", "4:damaged", "5:orphan"}},
	"self-parent-and-cycle":      {entries: 5, leaf: "b", version: 3, warnings: []string{"3:self-parent", "4:cycle"}},
	"three-way-branch-labels":    {entries: 12, leaf: "d3", version: 3},
	"torn-tail":                  {entries: 2, damaged: 1, leaf: "b", version: 3, warnings: []string{"4:torn-tail"}},
	"truncated-splice":           {entries: 2, damaged: 1, leaf: "d", version: 3, warnings: []string{"3:damaged", "4:orphan"}},
	"two-headers":                {entries: 2, leaf: "r", version: 3, warnings: []string{"2:duplicate-id", "3:second-header"}},
	"u2028-in-text":              {entries: 2, leaf: "b", version: 3},
	"undefined-line": {entries: 2, damaged: 5, leaf: "b", version: 3,
		warnings: []string{"3:damaged", "4:no-object", "5:no-object", "6:no-object", "7:no-object"}},
	"v1-index-out-of-range": {entries: 2, leaf: "ae5f205e", version: 1},
	"v1-linear":             {entries: 4, leaf: "6a573c79", version: 1},
	"v1-no-id-no-cwd":       {skipped: "the session header has no id"},
	"v2-hookMessage":        {entries: 2, leaf: "a", version: 2},
	"v3-without-ids":        {entries: 2, leaf: "line-3", version: 3, warnings: []string{"2:no-id"}},
	"v4-lookalike-dsh": {entries: 1, leaf: "line-2", readOnly: "version 4 of the format is newer than pifs knows (3)",
		warnings: []string{"0:read-only", "1:bad-time", "2:no-id"}},
	"version-4": {entries: 2, leaf: "b", readOnly: "version 4 of the format is newer than pifs knows (3)", warnings: []string{"0:read-only"}},
	"version-99-string": {entries: 1, leaf: "a", readOnly: `"0.1.0" is no version of the format`,
		warnings: []string{"0:read-only"}},
	"weird-ids":   {entries: 8, leaf: "12345", version: 3},
	"weird-names": {entries: 5, leaf: "a", version: 3},
}

// copyEdge copies the odd files. They have been at rest for long.
func copyEdge(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob("../testdata/edge/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	long := time.Unix(1767225600, 0)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		path = filepath.Join(dir, filepath.Base(path))
		require.NoError(t, os.WriteFile(path, text, 0o644))
		require.NoError(t, os.Chtimes(path, long, long))
	}
	return dir
}

func TestEdge(t *testing.T) {
	s := open(t, copyEdge(t))
	seen := map[string]bool{}
	for _, skipped := range s.Skipped() {
		name := filepath.Base(skipped.Path)
		name = name[:len(name)-len(suffix)]
		seen[name] = true
		assert.Equal(t, edge[name].skipped, skipped.Reason, name)
	}
	for _, x := range s.Sessions() {
		name := x.Name()
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			want, ok := edge[name]
			require.True(t, ok, "no row")
			require.Empty(t, want.skipped)
			v, err := x.View()
			require.NoError(t, err)
			assert.Equal(t, want.entries, v.Tree.Len())
			assert.Len(t, v.Damaged, want.damaged)
			leaf := ""
			if i := v.Tree.Leaf(); i >= 0 {
				leaf = v.Tree.ID(i)
			}
			assert.Equal(t, want.leaf, leaf)
			assert.Equal(t, want.name, v.Summary.Name)
			assert.Equal(t, want.title, v.Summary.Title)
			assert.Equal(t, want.readOnly, x.ReadOnly())
			assert.Equal(t, want.version, v.Version)
			var warnings []string
			for _, n := range v.Notes() {
				warnings = append(warnings, fmt.Sprintf("%d:%s", n.Line, n.Code))
				assert.NotEmpty(t, n.Message)
			}
			assert.Equal(t, want.warnings, warnings)
			assert.Equal(t, x.Stat().Size, v.Size)
		})
	}
	for name := range edge {
		assert.Contains(t, seen, name)
	}
}
