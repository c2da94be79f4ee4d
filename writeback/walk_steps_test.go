package writeback_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// object is a JSON object whose members have an order that need not be kept.
type object = map[string]any

var undefined = object{"$undefined": true}

// step makes one random call.
func (w *walker) step() {
	if w.rng.IntN(100) < 8 {
		w.change()
		return
	}
	steps := []struct {
		weight int
		make   func() command
	}{
		{30, func() command { return command{"appendMessage", []any{w.message()}} }},
		{5, func() command { return command{"appendThinkingLevelChange", []any{w.pick("off", "low", "high")}} }},
		{5, func() command { return command{"appendModelChange", []any{w.pick("anthropic", "openai"), w.text()}} }},
		{4, func() command {
			return command{"appendUsage", []any{"cache_warm", "openai", "gpt", w.usage(), w.maybe(w.text())}}
		}},
		{7, func() command {
			return command{"appendCompaction", []any{w.text(), w.maybe(w.entry()), w.rng.IntN(90000), w.maybe(w.details()), w.maybe(w.chance(50)), w.maybe(w.usage())}}
		}},
		{5, func() command { return command{"appendCustomEntry", []any{"todo", w.maybe(w.details())}} }},
		{6, func() command {
			return command{"appendCustomMessageEntry", []any{"inject", w.content(), w.chance(50), w.maybe(w.details())}}
		}},
		{5, func() command { return command{"appendSessionInfo", []any{w.text()}} }},
		{9, func() command { return command{"appendLabelChange", []any{w.entry(), w.maybe(w.label())}} }},
		{9, func() command { return command{"appendContextEdit", []any{w.entry(), w.replacement()}} }},
		{8, func() command { return command{"branch", []any{w.entry()}} }},
		{1, func() command { return command{"resetLeaf", nil} }},
		{5, func() command {
			return command{"branchWithSummary", []any{w.entryOrNull(), w.text(), w.maybe(w.details()), w.maybe(w.chance(50)), w.maybe(w.usage())}}
		}},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	at := w.rng.IntN(total)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			w.run(s.make())
			return
		}
	}
}

// change makes a call that changes to another session.
func (w *walker) change() {
	w.serial++
	switch w.rng.IntN(14) {
	case 0:
		w.run(command{"create", []any{w.cwd(), w.dir(), w.maybe(w.newOptions())}})
	case 1, 2:
		w.run(command{"open", []any{w.file()}})
	case 3:
		w.run(command{"open", []any{w.file(), w.dir(), w.maybe(w.cwd())}})
	case 4:
		w.run(command{"open", []any{fmt.Sprintf("@/flat/explicit-%d.jsonl", w.serial)}})
	case 5:
		w.setTimes()
		w.run(command{"continueRecent", []any{w.cwd(), w.dir()}})
	case 6:
		w.run(command{"inMemory", []any{w.cwd(), w.maybe(w.newOptions())}})
	case 7:
		w.run(command{"forkFrom", []any{w.file(), w.cwd(), w.dir()}})
	case 8:
		w.run(command{"newSession", []any{w.maybe(w.newOptions())}})
	case 9, 10:
		w.run(command{"createBranchedSession", []any{w.entry()}})
	case 11:
		w.run(command{"setSessionFile", []any{w.file()}})
	case 12:
		path := fmt.Sprintf("flat/given-%d.jsonl", w.serial)
		w.write(path, w.given())
		method := w.pick("open", "setSessionFile")
		if !w.lib.s.Persisted() { // In memory pi adds a missing newline to the file; pifs does not.
			method = "open"
		}
		w.run(command{method, []any{"@/" + path}})
	case 13:
		w.run(command{"findById", []any{w.cwd(), fmt.Sprintf("given-%d", w.rng.IntN(w.serial)), w.dir()}})
	}
}

// given returns the text of a file that the two sides find: empty, no session, of
// an old version, without a last newline.
func (w *walker) given() string {
	header := `{"type":"session","version":3,"id":"given","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/given"}`
	user := `{"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"hi","timestamp":1}}`
	v1 := strings.Join([]string{
		fmt.Sprintf(`{"type":"session","id":"old-%d",`, w.serial) + `"timestamp":"2025-01-02T03:04:05.678Z","cwd":"/given","provider":"anthropic"}`,
		`{"type":"message","timestamp":"2025-01-02T03:04:06.000Z","message":{"role":"user","content":"hi","timestamp":1}}`,
		`{"type":"message","timestamp":"2025-01-02T03:04:07.000Z","message":{"role":"hookMessage","customType":"x","content":"hook","display":true,"timestamp":2}}`,
		`{"type":"message","timestamp":"2025-01-02T03:04:08.000Z","message":{"role":"assistant","content":[],"provider":"p","model":"m","timestamp":3}}`,
		fmt.Sprintf(`{"type":"compaction","timestamp":"2025-01-02T03:04:09.000Z","summary":"sum","firstKeptEntryIndex":%d,"tokensBefore":9}`, w.rng.IntN(6)),
	}, "\n") + "\n"
	texts := []string{
		"", header, header + "\n" + user, header + "\n" + user + "\n{\"torn",
		header + "\nno json\n\n" + user + "\n", "no session\n", user + "\n" + header + "\n", "\n", v1,
		strings.Replace(header, `"version":3`, `"version":2`, 1) + "\n" + strings.Replace(user, `"user"`, `"hookMessage"`, 1) + "\n",
	}
	return texts[w.rng.IntN(len(texts))]
}

// write puts a file below both roots.
func (w *walker) write(path, text string) {
	for _, root := range w.roots {
		path := filepath.Join(root, path)
		require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(w.t, os.WriteFile(path, []byte(text), 0o666))
	}
}

// setTimes gives the files of both sides the same order of modification.
func (w *walker) setTimes() {
	rotation := w.rng.IntN(100)
	for side, root := range w.roots {
		for i, path := range w.lib.files {
			path = filepath.Join(root, strings.TrimPrefix(path, w.lib.root))
			if side == 0 {
				path = w.piFile(i)
			}
			at := time.Unix(1_700_000_000+int64((i+rotation)%len(w.lib.files)), 0)
			if err := os.Chtimes(path, at, at); !os.IsNotExist(err) {
				require.NoError(w.t, err)
			}
		}
	}
}

// piFile returns the path of the file on pi's side that is file i of the library's.
func (w *walker) piFile(i int) string {
	name := w.names[1].normalize(w.lib.files[i])
	for _, dir := range []string{"flat", "agent/sessions"} {
		var found string
		_ = filepath.WalkDir(filepath.Join(w.roots[0], dir), func(path string, _ os.DirEntry, _ error) error {
			if w.names[0].normalize(path) == name {
				found = path
			}
			return nil
		})
		if found != "" {
			return found
		}
	}
	return "none"
}

func (w *walker) chance(percent int) bool { return w.rng.IntN(100) < percent }

func (w *walker) pick(texts ...string) string { return texts[w.rng.IntN(len(texts))] }

// maybe returns v or undefined.
func (w *walker) maybe(v any) any {
	if w.chance(50) {
		return undefined
	}
	return v
}

func (w *walker) cwd() string { return w.pick("@/home/alpha", "@/home/beta", "/home/dev/gamma:x") }

// dir is a directory for sessions, often pi's own for the cwd.
func (w *walker) dir() any {
	if w.chance(40) {
		return undefined
	}
	return w.pick("@/flat", "@/flat/new")
}

func (w *walker) file() any {
	if w.chance(5) {
		return "@/flat/none/none.jsonl"
	}
	return object{"$file": w.rng.IntN(1000)}
}

func (w *walker) entry() any {
	if w.chance(3) {
		return "nosuch-id"
	}
	return object{"$entry": w.rng.IntN(1000)}
}

func (w *walker) entryOrNull() any {
	if w.chance(15) {
		return nil
	}
	return w.entry()
}

func (w *walker) newOptions() any {
	id := w.pick("given", "bad id", "-bad", "a.b_c")
	if id[0] != 'b' && id[0] != '-' {
		id = fmt.Sprintf("%s-%d", id, w.serial)
	}
	return object{"id": id, "parentSession": "/some/parent.jsonl"}
}

// lineSeparators are characters at which pi's picker, but nothing else of pi, takes a
// line to end, so that it misses entries that have them.
const lineSeparators = "separators \u2028 \u2029 \ufeff"

func (w *walker) text() string {
	if w.separators && w.chance(8) {
		return lineSeparators
	}
	return w.pick(
		"plain text", "", "  padded ", "two\nlines\r\n\n and more", "naïve ☂ 日本語 🙂", "quote \" and \\ and /",
		"NUL \x00 ESC \x1b DEL \x7f", "<script>&amp;", "a/b", "..", strings.Repeat("long ", 30),
	)
}

func (w *walker) label() string {
	for {
		if label := w.text(); label != "" { // "" clears, which undefined does here.
			return label
		}
	}
}

func (w *walker) details() any {
	return object{"count": w.rng.IntN(50), "share": 0.25, "big": 1e21, "note": w.text(), "list": []any{1, "two", nil, true}}
}

func (w *walker) usage() any {
	return object{"input": w.rng.IntN(3000), "output": 1, "cacheRead": 0, "cacheWrite": 2, "cost": object{"total": 0.125}}
}

func (w *walker) content() any {
	if w.chance(40) {
		return w.text()
	}
	return []any{
		object{"type": "text", "text": w.text()},
		object{"type": "image", "data": "aGk=", "mimeType": "image/png"},
	}
}

func (w *walker) replacement() any {
	switch w.rng.IntN(8) {
	case 0:
		return nil
	case 1:
		return "no object"
	case 2:
		return object{"content": 5}
	}
	return object{"content": w.content()}
}

func (w *walker) message() any {
	stamp := 1_600_000_000_000 + w.rng.IntN(1e6)
	switch w.rng.IntN(12) {
	case 0, 1, 2:
		return object{"role": "user", "content": w.content(), "timestamp": stamp}
	case 3, 4, 5:
		return object{
			"role": "assistant", "content": []any{object{"type": "text", "text": w.text()}}, "provider": "anthropic",
			"model": w.pick("sonnet", "opus"), "usage": w.usage(), "stopReason": "stop", "timestamp": stamp,
		}
	case 6, 7:
		return object{
			"role": "toolResult", "toolCallId": "call_1", "toolName": "bash", "content": w.content(),
			"isError": w.chance(20), "timestamp": stamp,
		}
	case 8:
		return object{
			"role": "bashExecution", "command": "make", "output": w.text(), "exitCode": 1, "cancelled": false,
			"truncated": false, "timestamp": stamp,
		}
	}
	return w.system(stamp)
}

// system is a system message, whose parts a compaction replays.
func (w *walker) system(stamp int) any {
	m := object{"role": "system", "content": w.content(), "timestamp": stamp}
	if w.chance(50) {
		sections := object{}
		for range 1 + w.rng.IntN(2) {
			sections[w.pick("env", "skills", "rules")] = w.text()
		}
		if w.chance(30) {
			sections[w.pick("env", "skills", "rules")] = nil
		}
		m["sections"] = sections
	}
	if w.chance(50) {
		m["toolsAdded"] = []any{
			object{"name": w.pick("bash", "read"), "description": w.text(), "parameters": object{}},
			object{"name": w.pick("edit", "grep"), "parameters": object{"n": w.rng.IntN(9)}},
		}
	}
	if w.chance(30) {
		m["toolsRemoved"] = []any{object{"name": w.pick("bash", "edit")}}
	}
	return m
}
