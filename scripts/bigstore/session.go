package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const isoTime = "2006-01-02T15:04:05.000Z"

// A session writes one session file.
type session struct {
	corpus *corpus
	rng    *rand.Rand
	dir    string
	cwd    string
	size   int // bytes to write, about
	now    time.Time

	out            *bufio.Writer
	written, lines int
	ids            []string
	leaf           string

	// What kind of session it is.
	migrated bool // once a version 1 file, migrated in place by pi: id and parentId come last
	branchy  bool
	labels   bool
	images   bool
}

func (s *session) write() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	id := fmt.Sprintf("%08x-%04x-7%03x-%04x-%012x", uint32(s.now.UnixMilli()>>16), uint16(s.now.UnixMilli()),
		s.rng.Intn(4096), 0x8000|s.rng.Intn(0x4000), s.rng.Int63n(1<<48))
	name := strings.NewReplacer(":", "-", ".", "-").Replace(s.now.Format(isoTime)) + "_" + id + ".jsonl"
	path := filepath.Join(s.dir, name)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s.out = bufio.NewWriterSize(file, 1<<20)
	s.fill(id)
	if err := s.out.Flush(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, s.now, s.now)
}

// fill writes all lines.
func (s *session) fill(id string) {
	s.migrated = s.rng.Float64() < 0.2
	if s.migrated {
		s.line(fmt.Appendf(nil, `{"type":"session","id":"%s","timestamp":"%s","cwd":"%s","provider":"anthropic","modelId":"claude-sonnet-4-5","thinkingLevel":"off","version":3}`, id, s.now.Format(isoTime), s.cwd))
	} else {
		s.line(fmt.Appendf(nil, `{"type":"session","version":3,"id":"%s","timestamp":"%s","cwd":"%s"}`, id, s.now.Format(isoTime), s.cwd))
	}
	s.branchy = s.rng.Float64() < 0.2
	s.labels = s.rng.Float64() < 0.1
	named := s.rng.Float64() < 0.3
	s.images = s.rng.Float64() < 0.03
	if !s.migrated {
		s.preamble()
	}
	s.conversation()
	if named {
		s.entry("session_info", `"name":`+string(quote(pick(s.rng, s.corpus.names))))
	}
}

func (s *session) preamble() {
	s.entry("model_change", `"provider":"anthropic","modelId":"claude-opus-4-5"`)
	s.entry("thinking_level_change", `"thinkingLevel":"medium"`)
	if s.rng.Float64() < 0.5 && s.size > 12000 {
		s.entry("message", fmt.Sprintf(`"message":{"role":"system","content":"","sections":{"preamble":"You are an expert coding assistant.","tools":%s,"cwd":"%s"},"toolsAdded":[{"name":"read","description":"Read a file","parameters":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"bash","description":"Run {a} \"command\"","parameters":{}}],"timestamp":%d}`, quote(s.corpus.system), s.cwd, s.now.UnixMilli()))
	}
}

// conversation walks through the corpus from some user message on, and now and
// then from another one.
func (s *session) conversation() {
	at := pick(s.rng, s.corpus.users)
	sinceCompaction, sinceBranch := 0, 0
	for s.written < s.size {
		src := s.corpus.sources[at%len(s.corpus.sources)]
		at++
		if s.rng.Intn(400) == 0 {
			at = pick(s.rng, s.corpus.users)
		}
		s.now = s.now.Add(time.Duration(500+s.rng.Intn(20000)) * time.Millisecond)
		before := s.written
		s.again(src, at)
		sinceCompaction += s.written - before
		sinceBranch++
		if sinceCompaction > 500000 && len(s.ids) > 60 {
			s.compact()
			sinceCompaction = 0
		}
		if s.branchy && sinceBranch > 60 && len(s.ids) > 40 {
			s.branch()
			sinceBranch = 0
		}
		s.extras()
	}
}

// again writes a source as an entry of this session.
func (s *session) again(src source, at int) {
	switch src.kind {
	case "message":
		message := src.message
		if src.role == "assistant" && s.rng.Float64() < 0.5 {
			message = s.withThinking(message)
		}
		s.entry("message", `"message":`+string(message))
		if s.images && src.role == "toolResult" && s.rng.Intn(40) == 0 && s.written+300000 < s.size {
			s.image(at)
		}
	case "thinking_level_change":
		s.entry(src.kind, `"thinkingLevel":"high"`)
	case "model_change":
		s.entry(src.kind, `"provider":"openai","modelId":"gpt-5.1-codex"`)
	}
}

// withThinking puts a signed thinking block before the blocks of a message. A few
// have a word in them that can be searched for.
func (s *session) withThinking(message []byte) []byte {
	thinking := pick(s.rng, s.corpus.thinkings)
	if s.rng.Intn(2000) == 0 {
		thinking = fmt.Sprintf("needle_xyzzy_%d ", s.rng.Intn(1000)) + thinking
	}
	signature := s.noise(200 + s.rng.Intn(700))
	block := fmt.Sprintf(`{"type":"thinking","thinking":%s,"thinkingSignature":"%s"}`, quote(thinking), signature)
	before, after, found := bytes.Cut(message, []byte(`"content":[`))
	if !found {
		return message
	}
	if after[0] != ']' {
		block += ","
	}
	return bytes.Join([][]byte{before, []byte(`"content":[`), []byte(block), after}, nil)
}

func (s *session) image(call int) {
	data := s.noise(40000 + s.rng.Intn(260000))
	s.entry("message", fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":"toolu_img%d","toolName":"read","content":[{"type":"text","text":"Read image file [image/png]"},{"type":"image","data":"%s","mimeType":"image/png"}],"isError":false,"timestamp":%d}`, call, data, s.now.UnixMilli()))
}

func (s *session) compact() {
	kept := s.ids[len(s.ids)-10-s.rng.Intn(30)]
	s.entry("compaction", fmt.Sprintf(`"summary":%s,"firstKeptEntryId":"%s","tokensBefore":%d,"details":{"readFiles":["/a/b.ts"],"modifiedFiles":[]}`, quote(pick(s.rng, s.corpus.summaries)), kept, 120000+s.rng.Intn(60000)))
}

// branch goes back some entries, with or without a summary of what is left.
func (s *session) branch() {
	left := s.leaf
	s.leaf = s.ids[len(s.ids)-2-s.rng.Intn(30)]
	if s.rng.Intn(2) == 0 {
		s.entry("branch_summary", fmt.Sprintf(`"fromId":"%s","summary":%s`, left, quote(pick(s.rng, s.corpus.thinkings))))
	}
}

// extras writes the rarer entries.
func (s *session) extras() {
	if s.labels && s.rng.Intn(80) == 0 {
		s.entry("label", fmt.Sprintf(`"targetId":"%s","label":"checkpoint-%d"`, pick(s.rng, s.ids), s.rng.Intn(20)))
	}
	if s.rng.Intn(500) == 0 {
		s.entry("custom", `"customType":"my-ext","data":{"id":"decoy","type":"decoy","n":[1,2,{"x":"}\\\""}]}`)
	}
	if s.rng.Intn(700) == 0 {
		s.entry("custom_message", `"customType":"my-ext","content":"Injected {context} \"here\"","display":true`)
	}
	if s.rng.Intn(900) == 0 {
		s.entry("usage", `"kind":"cache_warm","provider":"anthropic","model":"claude-sonnet-4-5","usage":{"input":0,"output":0,"cacheRead":50000,"cacheWrite":0,"totalTokens":50000,"cost":{"input":0,"output":0,"cacheRead":0.015,"cacheWrite":0,"total":0.015}}`)
	}
}

// entry writes an entry with its own fields, in the order that pi writes them.
func (s *session) entry(kind, fields string) {
	id := fmt.Sprintf("%08x", s.rng.Uint32())
	parent := "null"
	if s.leaf != "" {
		parent = `"` + s.leaf + `"`
	}
	at := s.now.Format(isoTime)
	switch {
	case s.migrated:
		s.line(fmt.Appendf(nil, `{"type":"%s","timestamp":"%s",%s,"id":"%s","parentId":%s}`, kind, at, fields, id, parent))
	case kind == "custom" || kind == "custom_message":
		s.line(fmt.Appendf(nil, `{"type":"%s",%s,"id":"%s","parentId":%s,"timestamp":"%s"}`, kind, fields, id, parent, at))
	default:
		s.line(fmt.Appendf(nil, `{"type":"%s","id":"%s","parentId":%s,"timestamp":"%s",%s}`, kind, id, parent, at, fields))
	}
	s.ids = append(s.ids, id)
	s.leaf = id
}

// line writes a line. Errors stay in the writer until Flush returns them.
func (s *session) line(line []byte) {
	s.out.Write(line)
	s.out.WriteByte('\n')
	s.written += len(line) + 1
	s.lines++
}

// noise returns n random bytes in base64.
func (s *session) noise(n int) string {
	data := make([]byte, n)
	s.rng.Read(data)
	return base64.StdEncoding.EncodeToString(data)
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.Intn(len(from))] }
