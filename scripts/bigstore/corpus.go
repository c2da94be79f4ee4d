package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pifs/pifs/cmd/pifs/sample"
)

// A corpus is the text that the written sessions are made of.
type corpus struct {
	sources   []source
	users     []int // indexes of user messages in sources
	summaries []string
	thinkings []string // thinking, and longer answers
	names     []string
	system    string // what a system message's list of tools looks like in size
}

// A source is an entry to be written again, with ids of the new session.
type source struct {
	kind    string // the entry's type
	role    string
	message []byte // the message's JSON
}

// fileCorpus takes the text of session files.
func fileCorpus(paths []string) (*corpus, error) {
	slices.Sort(paths)
	c := new(corpus)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		c.addFile(data, 1)
	}
	return c, c.check()
}

// sampleCorpus takes the text of the sample. Its tool results are short, so they
// are taken several times, repeated within themselves: lines get about as long
// on average as those of real sessions (1.9 kB).
func sampleCorpus() (*corpus, error) {
	sessions := sample.FS()
	paths, err := fs.Glob(sessions, "*/*.jsonl")
	if err != nil {
		return nil, err
	}
	c := new(corpus)
	for _, repeat := range []int{1, 8, 40, 120} {
		for _, path := range paths {
			data, err := fs.ReadFile(sessions, path)
			if err != nil {
				return nil, err
			}
			c.addFile(data, repeat)
		}
	}
	return c, c.check()
}

func (c *corpus) check() error {
	if len(c.users) == 0 || len(c.summaries) == 0 || len(c.thinkings) == 0 || len(c.names) == 0 {
		return fmt.Errorf("the text has not got all of: a user message, a compaction, an answer or thinking of some length")
	}
	if c.system == "" {
		c.system = strings.Repeat(c.summaries[0]+"\n", 1+7000/(1+len(c.summaries[0])))
	}
	return nil
}

// addFile takes what a session file holds; the text of tool results repeated.
func (c *corpus) addFile(data []byte, repeat int) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var entry struct {
			Type    string
			Message json.RawMessage
			Summary string
		}
		if len(line) == 0 || json.Unmarshal(line, &entry) != nil {
			continue
		}
		switch entry.Type {
		case "session":
		case "compaction":
			c.summaries = append(c.summaries, entry.Summary)
		case "message":
			c.addMessage(entry.Message, repeat)
		default:
			c.sources = append(c.sources, source{kind: entry.Type})
		}
	}
}

func (c *corpus) addMessage(message json.RawMessage, repeat int) {
	var m struct {
		Role    string
		Content json.RawMessage
	}
	var blocks []struct{ Type, Text, Thinking string }
	if json.Unmarshal(message, &m) != nil {
		return
	}
	if json.Unmarshal(m.Content, &blocks) != nil {
		blocks = nil // a string, or nothing
	}
	for _, b := range blocks {
		switch {
		case b.Type == "thinking" && len(b.Thinking) > 40:
			c.thinkings = append(c.thinkings, b.Thinking)
		case m.Role == "assistant" && b.Type == "text" && len(b.Text) > 100:
			c.thinkings = append(c.thinkings, b.Text)
		case m.Role == "user" && len(b.Text) > 10:
			name := b.Text[:min(50, len(b.Text))]
			c.names = append(c.names, strings.ToValidUTF8(strings.ReplaceAll(name, "\n", " "), ""))
		case m.Role == "toolResult" && len(b.Text) > 9000 && c.system == "":
			c.system = b.Text[:7000]
		case m.Role == "toolResult" && repeat > 1 && b.Text != "":
			text := quote(b.Text)
			long := quote(strings.Repeat(b.Text+"\n", repeat))
			message = bytes.Replace(message, text, long, 1)
		}
	}
	if m.Role == "user" {
		c.users = append(c.users, len(c.sources))
	}
	c.sources = append(c.sources, source{kind: "message", role: m.Role, message: message})
}

// quote writes a string as JavaScript does.
func quote(s string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err) // a string is never refused
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
