package writeback_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// BenchmarkWrites changes a session's name again and again, with and without
// waiting for the disk, and appends the same bytes by the least system calls that
// a program can do it with.
func BenchmarkWrites(b *testing.B) {
	for _, sync := range []bool{true, false} {
		suffix := map[bool]string{true: "fsync", false: "no-fsync"}[sync]
		b.Run("append-"+suffix, func(b *testing.B) {
			s := benchSession(b)
			for i := 0; b.Loop(); i++ {
				require.NoError(b, writeback.Append(s, writeback.Options{NoSync: !sync}, writeback.SetName(fmt.Sprintf("name %08d", i))))
			}
		})
		b.Run("plain-"+suffix, func(b *testing.B) {
			path := benchSession(b).Path
			for i := 0; b.Loop(); i++ {
				line := fmt.Sprintf(`{"type":"session_info","id":"%08x","parentId":"%08x","timestamp":"2026-01-01T00:00:00.000Z","name":"name %08d"}`+"\n", i+1, i, i)
				require.NoError(b, plainAppend(path, line, sync))
			}
		})
	}
}

func benchSession(b *testing.B) *store.Session {
	b.Helper()
	dir := b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(small), 0o644))
	st, err := store.Open(context.Background(), []string{dir}, store.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { st.Close() })
	return st.Sessions()[0]
}

func plainAppend(path, line string, sync bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}

// BenchmarkOpen opens each session of the store in $PIFS_BIGSTORE and builds the
// context at its leaf, as a program does with pi's SessionManager.
func BenchmarkOpen(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(os.Getenv("PIFS_BIGSTORE"), "*/*.jsonl"))
	require.NoError(b, err)
	if len(paths) == 0 {
		b.Skip("PIFS_BIGSTORE names no store")
	}
	for b.Loop() {
		var size int64
		for _, path := range paths {
			info, err := os.Stat(path)
			require.NoError(b, err)
			size += info.Size()
			s, err := writeback.Open(path, writeback.SessionOptions{})
			require.NoError(b, err)
			require.NotEmpty(b, s.Context())
		}
		b.SetBytes(size)
	}
}
