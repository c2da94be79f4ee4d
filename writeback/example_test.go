package writeback_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// A new session is in memory until it has a message, then in a file that pi opens.
func Example() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	s, err := writeback.Create("/home/dev/alpha", writeback.SessionOptions{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	question, err := s.AppendMessage(model.Value(`{"role":"user","content":"Why is it slow?","timestamp":1}`))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.AppendLabelChange(question, "start"); err != nil {
		log.Fatal(err)
	}

	again, err := writeback.ContinueRecent("/home/dev/alpha", writeback.SessionOptions{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.ID() == s.ID(), again.EntryCount(), again.Label(question))
	// Output: true 2 start
}

// Names and labels of sessions that pi may have open are changed through a store.
func ExampleAppend() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(small), 0o600); err != nil {
		log.Fatal(err)
	}

	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer st.Close()
	s := st.Sessions()[0]
	for _, plan := range []writeback.Plan{
		writeback.SetName("Making it fast"),
		writeback.PutLabel("answer", "bbbbbbbb"),
		writeback.SetName("Making it fast"), // nothing to do
	} {
		if err := writeback.Append(s, writeback.Options{}, plan); err != nil {
			log.Fatal(err)
		}
	}
	v, err := s.View()
	if err != nil {
		log.Fatal(err)
	}
	name, _ := v.Tree.Name()
	fmt.Println(name, v.Tree.Labels()[0].Text, v.Tree.Len())
	// Output: Making it fast answer 4
}

// Branches begin where the leaf is moved to; a branch can become a session of its
// own.
func ExampleSession_CreateBranchedSession() {
	s, err := writeback.InMemory("/home/dev/alpha", writeback.SessionOptions{})
	if err != nil {
		log.Fatal(err)
	}
	say := func(role, text string) string {
		message := new(model.Builder).Text("role", role).Text("content", text).Float("timestamp", 1).Object()
		id, err := s.AppendMessage(message)
		if err != nil {
			log.Fatal(err)
		}
		return id
	}
	question := say("user", "Which way?")
	say("assistant", "Left.")
	if err := s.Branch(question); err != nil {
		log.Fatal(err)
	}
	right := say("assistant", "Right.")
	fmt.Println(len(s.Children(question)), "answers,", s.EntryCount(), "entries")

	if _, err := s.CreateBranchedSession(right); err != nil {
		log.Fatal(err)
	}
	for _, e := range s.Path("") {
		fmt.Println(e.Kind, e.Message.Get("content").Text())
	}
	// Output:
	// 2 answers, 3 entries
	// user Which way?
	// assistant Right.
}

// A plan sees the session as it is under the lock, so that it can decide by what
// others have just written.
func ExamplePlan() {
	labelUnnamed := func(v *store.View) ([]writeback.Change, error) {
		if name, _ := v.Tree.Name(); name != "" {
			return nil, nil
		}
		return writeback.LabelCurrent("unnamed")(v)
	}
	_ = writeback.Plan(labelUnnamed)
}
