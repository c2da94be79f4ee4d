package store_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pifs/pifs/store"
)

func Example() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const session = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work"}
{"type":"message","id":"5c1f88a0","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"Why is the sky blue?","timestamp":1767225601000}}
{"type":"session_info","id":"5c1f88a1","parentId":"5c1f88a0","timestamp":"2026-01-01T00:00:02.000Z","name":"sky"}
`
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(session), 0o600); err != nil {
		log.Fatal(err)
	}

	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer st.Close()
	for _, s := range st.Sessions() {
		v, err := s.View()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s in %s: %q, %d entries\n", v.Summary.Name, s.Cwd(), v.Summary.FirstMessage, v.Tree.Len())
		first, err := v.Entry(0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(first.Message))
	}
	// Output:
	// sky in /work: "Why is the sky blue?", 2 entries
	// {"role":"user","content":"Why is the sky blue?","timestamp":1767225601000}
}
