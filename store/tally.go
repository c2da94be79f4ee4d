package store

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// firstMessageBytes is how much of the first message's text is kept in memory.
// People paste whole logs into it.
const firstMessageBytes = 4 << 10

// Summary is what pi's picker shows of a session (SessionManager.list), without
// reading bodies again.
type Summary struct {
	Name string // "" if none

	// FirstMessage is the text of the first user message that has one, "" if
	// there is none. It is cut after 4 KiB, at a character; FirstMessageCut tells
	// that it was ([View.FirstMessage] gives all of it).
	FirstMessage    string
	FirstMessageCut bool

	// LastMessage is the time of the last user or assistant message in the file
	// that has a time, where Modified is the latest: Unix milliseconds, or
	// model.NoTime.
	LastMessage int64

	MessageCount int
	Created      int64 // Unix milliseconds, model.NoTime if bad
	Modified     int64
	Title        string // another program's title, for sessions without a name
}

// A tally counts what pi's buildSessionInfo counts, entry by entry.
type tally struct {
	messages int
	active   int64 // the latest activity, math.MinInt64 if none
	last     int64 // that of the last message that has one, or NoTime
	first    string
	cut      bool
	firstAt  int // the entry that first is of, or None
}

func newTally() tally { return tally{active: math.MinInt64, last: model.NoTime, firstAt: tree.None} }

// add takes entry i. Its line is looked into only until the first user message is
// found.
func (t *tally) add(i int, f *model.Fields, line []byte) {
	if !f.Kind.IsMessage() {
		return
	}
	t.messages++
	if f.Activity != model.NoTime {
		t.active = max(t.active, f.Activity)
		t.last = f.Activity
	}
	if t.firstAt != tree.None || f.Kind != model.KindUser {
		return
	}
	text := textOf(model.DecodeEntry(model.Clean(line)))
	if text == "" {
		return
	}
	t.firstAt = i
	t.cut = len(text) > firstMessageBytes
	t.first = strings.Clone(cutText(text, firstMessageBytes))
}

// summary completes the tally with what the header, the tree and the file tell.
func (t *tally) summary(h *head, tr *tree.Tree, mtimeNS int64) Summary {
	name, _ := tr.Name()
	created := model.ParseTime(h.header.Timestamp)
	modified := mtimeNS / 1e6
	switch {
	case t.active > 0:
		modified = t.active
	case h.header.Timestamp.Kind() == model.String && created != model.NoTime:
		modified = created
	}
	return Summary{
		Name:            name,
		FirstMessage:    t.first,
		FirstMessageCut: t.cut,
		LastMessage:     t.last,
		MessageCount:    t.messages,
		Created:         created,
		Modified:        modified,
		Title:           h.title,
	}
}

// textOf returns the text of a message as pi's extractTextContent does: its text
// blocks joined by spaces.
func textOf(e model.Entry) string {
	content := model.DecodeMessage(e.Message).Content
	if content.Kind() == model.String {
		return content.Text()
	}
	var texts []string
	for block := range content.Elements() {
		if b := model.DecodeBlock(block); b.Type == "text" {
			texts = append(texts, b.Text.Text())
		}
	}
	return strings.Join(texts, " ")
}

// cutText returns the beginning of text, at most n bytes, cut at a character.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
