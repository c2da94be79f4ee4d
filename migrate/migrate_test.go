package migrate

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/internal/oracle"
	"github.com/pifs/pifs/model"
)

func TestVersionOf(t *testing.T) {
	for version, want := range map[string]int{"": 1, "null": 1, "1": 1, "0": 1, "-5": 1, "1.5": 1, "2": 2, "2.9": 2, "3": 3, "3.0": 3} {
		got, ok := VersionOf(model.Header{Version: model.Value(version)})
		assert.True(t, ok, version)
		assert.Equal(t, want, got, version)
	}
	for _, version := range []string{"4", "3.5", "1e99", `"0.1.0"`, `"2"`, `"99"`, "true", "{}"} {
		_, ok := VersionOf(model.Header{Version: model.Value(version)})
		assert.False(t, ok, version)
	}
}

func TestHeader(t *testing.T) {
	assert.Equal(t, `{"type":"session","id":"x","version":3}`, string(Header(model.Value(`{"type":"session","id":"x"}`))))
	assert.Equal(t, `{"version":3,"id":"x"}`, string(Header(model.Value(`{"version":2,"id":"x"}`))))
}

// session returns the lines of a session as they are after migration, in compact
// JSON.
func session(lines ...string) []string {
	var m *Migrator
	var version int
	var out []string
	for _, line := range lines {
		v := model.Value(line)
		f, ok := model.Scan(v)
		switch {
		case m == nil && ok && model.IsHeader(v):
			h := model.DecodeHeader(v)
			m = New(h)
			version, _ = VersionOf(h)
			v = Header(v)
		case m == nil || !model.Valid(v):
			continue
		case !ok:
			m.Skip(v)
			continue
		case f.Kind == model.KindSession:
			m.Skip(v)
			v = Header(v)
		default:
			m.Fields(&f)
			v = Entry(v, version, linksOf(f))
		}
		out = append(out, string(v.AppendCompact(nil)))
	}
	return out
}

// linksOf returns the links of an entry by its migrated fields.
func linksOf(f model.Fields) (links Links) {
	text := func(id string, ok bool) model.Value {
		if !ok {
			return nil
		}
		return model.AppendString(nil, id)
	}
	links.ID = text(f.ID, f.HasID)
	links.ParentID = text(f.ParentID, f.HasParent)
	if f.Kind == model.KindCompaction {
		links.FirstKeptEntryID = text(f.TargetID, f.HasTarget)
	}
	return links
}

func TestVersion1(t *testing.T) {
	const head = `{"type":"session","id":"s","timestamp":"2025-01-01"}`
	got := session(head,
		`{"type":"message","message":{"role":"hookMessage","content":[]}}`,
		`no entry, and not counted`,
		`{"type":"session","id":"again"}`,
		`5`,
		`0`,
		`{"id":"old","type":"model_change","parentId":"other","modelId":"m"}`,
		`{"type":"compaction","firstKeptEntryIndex":1,"summary":"s"}`,
		`{"type":"compaction","firstKeptEntryIndex":0,"summary":"header"}`,
		`{"type":"compaction","firstKeptEntryIndex":2,"summary":"another header"}`,
		`{"type":"compaction","firstKeptEntryIndex":8,"summary":"itself"}`,
		`{"type":"compaction","firstKeptEntryIndex":99,"summary":"nothing"}`,
		`{"type":"compaction","firstKeptEntryIndex":-1,"summary":"nothing"}`,
		`{"type":"compaction","firstKeptEntryIndex":"1","summary":"no number"}`,
	)
	// The ids, by their place among the values that are true to JavaScript.
	id := map[int]string{}
	m := New(model.DecodeHeader(model.Value(head)))
	for i := 1; i < 20; i++ {
		id[i] = fmt.Sprintf("%08x", m.draw(i))
	}
	assert.Equal(t, []string{
		`{"type":"session","id":"s","timestamp":"2025-01-01","version":3}`,
		fmt.Sprintf(`{"type":"message","message":{"role":"custom","content":[]},"id":"%s","parentId":null}`, id[1]),
		`{"type":"session","id":"again","version":3}`,
		fmt.Sprintf(`{"id":"%s","type":"model_change","parentId":"%s","modelId":"m"}`, id[4], id[1]),
		fmt.Sprintf(`{"type":"compaction","summary":"s","id":"%s","parentId":"%s","firstKeptEntryId":"%s"}`, id[5], id[4], id[1]),
		fmt.Sprintf(`{"type":"compaction","summary":"header","id":"%s","parentId":"%s"}`, id[6], id[5]),
		fmt.Sprintf(`{"type":"compaction","summary":"another header","id":"%s","parentId":"%s"}`, id[7], id[6]),
		fmt.Sprintf(`{"type":"compaction","summary":"itself","id":"%s","parentId":"%s","firstKeptEntryId":"%[1]s"}`, id[8], id[7]),
		fmt.Sprintf(`{"type":"compaction","summary":"nothing","id":"%s","parentId":"%s"}`, id[9], id[8]),
		fmt.Sprintf(`{"type":"compaction","summary":"nothing","id":"%s","parentId":"%s"}`, id[10], id[9]),
		fmt.Sprintf(`{"type":"compaction","firstKeptEntryIndex":"1","summary":"no number","id":"%s","parentId":"%s"}`, id[11], id[10]),
	}, got)
}

// TestIDsStay holds that the ids of version 1 are what earlier builds gave: mounts,
// links and notes refer to them.
func TestIDsStay(t *testing.T) {
	m := New(model.Header{ID: model.Value(`"0190163d-8694-739b-aea5-966c26f8ad91"`)})
	var ids []string
	for range 3 {
		f := model.Fields{FirstKeptIndex: -1}
		m.Fields(&f)
		ids = append(ids, f.ID)
	}
	assert.Equal(t, []string{"20f393bb", "c4353de0", "1dabcfd1"}, ids)
}

func TestIDsDiffer(t *testing.T) {
	m := New(model.Header{ID: model.Value(`"s"`)})
	m.taken[New(model.Header{ID: model.Value(`"s"`)}).draw(1)] = true // A collision at once.
	seen := map[string]bool{}
	for i := range 50_000 {
		f := model.Fields{FirstKeptIndex: -1}
		m.Fields(&f)
		require.False(t, seen[f.ID], "entry %d", i)
		require.Len(t, f.ID, 8)
		seen[f.ID] = true
	}
}

func TestVersion2(t *testing.T) {
	assert.Equal(t, []string{
		`{"version":3,"type":"session","id":"s"}`,
		`{"type":"message","id":"a","parentId":null,"message":{"content":[1.0],"role":"custom"}}`,
		`{"type":"message","id":"b","message":{"role":"user"}}`,
		`{"type":"message","id":"c","message":null}`,
		`{"type":"custom","id":"d","message":{"role":"hookMessage"}}`,
		`{"type":"compaction","id":"e","firstKeptEntryIndex":1}`,
	}, session(
		`{"version":2,"type":"session","id":"s"}`,
		`{"type":"message","id":"a","parentId":null,"message":{"content":[1.0],"role":"hookMessage"}}`,
		`{"type":"message","id":"b","message":{"role":"user"}}`,
		`{"type":"message","id":"c","message":null}`,
		`{"type":"custom","id":"d","message":{"role":"hookMessage"}}`,
		`{"type":"compaction","id":"e","firstKeptEntryIndex":1}`,
	))
}

func TestOtherVersionsStay(t *testing.T) {
	for _, version := range []string{"3", "4", `"0.1.0"`} {
		h := model.Value(`{"type":"session","id":"s","version":` + version + `}`)
		m := New(model.DecodeHeader(h))
		const line = `{"type":"message","message":{"role":"hookMessage","content":[]}}`
		f, _ := model.Scan([]byte(line))
		before := f
		m.Skip(h)
		m.Fields(&f)
		assert.Equal(t, before, f)
		assert.Equal(t, line, string(Entry(model.Value(line), 3, Links{})))
	}
}

// TestAsPi has the real pi migrate files, and takes no difference but in the ids
// that pi draws at random for version 1.
func TestAsPi(t *testing.T) {
	needs.Pi(t)
	t.Run("edge", func(t *testing.T) {
		compareWithPi(t, filepath.Join(needs.Module(t), "testdata", "edge", "v[12]*.jsonl"))
	})
	t.Run("generated", func(t *testing.T) {
		dir := t.TempDir()
		oracle.Ask(t, "generate", dir, "5", "12", "60")
		compareWithPi(t, filepath.Join(dir, "sessions", "*", "*.jsonl"))
	})
	t.Run("real", func(t *testing.T) {
		compareWithPi(t, filepath.Join(needs.RealSessions(t), "*.jsonl"))
	})
}

// compareWithPi compares the migration of the files of version 1 and 2.
func compareWithPi(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	compared := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		head := model.Value(lines[0])
		version, ok := VersionOf(model.DecodeHeader(head))
		if !ok || version == Version || !model.IsHeader(head) {
			continue
		}
		compared++
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, got := migratedByPi(t, text), session(lines...)
			if version == 1 {
				want, got = withoutIDs(want), withoutIDs(got)
			}
			assert.Equal(t, want, got)
		})
	}
	assert.NotZero(t, compared, "files of version 1 or 2 in %s", pattern)
}

// migratedByPi returns the lines that pi rewrites a session file to on opening it.
func migratedByPi(t *testing.T, text []byte) []string {
	file := filepath.Join(t.TempDir(), "session.jsonl")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	oracle.Ask(t, "append", file)
	migrated, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(migrated), "\n"), "\n")
}

// withoutIDs replaces the ids of the entries by their places.
func withoutIDs(lines []string) []string {
	id := regexp.MustCompile(`"id":"([0-9a-f]{8})","parentId":(null|"[0-9a-f]{8}")`)
	var ids []string
	for _, line := range lines {
		if match := id.FindStringSubmatch(line); match != nil {
			ids = append(ids, match[1], fmt.Sprintf("entry %d", len(ids)))
		}
	}
	replacer := strings.NewReplacer(ids...)
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = replacer.Replace(lines[i])
	}
	return lines
}

func ExampleMigrator() {
	header := model.DecodeHeader(model.Value(`{"type":"session","id":"s"}`))
	migrator := New(header)
	version, _ := VersionOf(header)

	line := []byte(`{"type":"message","message":{"role":"hookMessage","content":"hi"}}`)
	fields, _ := model.Scan(line)
	migrator.Fields(&fields)
	links := Links{ID: model.AppendString(nil, fields.ID)}
	fmt.Println(version, fields.Kind, fields.HasParent)
	fmt.Println(string(Entry(line, version, links)))
	// Output:
	// 1 custom false
	// {"type":"message","message":{"role":"custom","content":"hi"},"id":"90b01df6","parentId":null}
}
