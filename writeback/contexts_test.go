package writeback_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/writeback"
)

// BenchmarkContexts opens each session of the store in $PIFS_BIGSTORE and builds the
// context at its leaf, as a program does with pi's SessionManager. MB/s are of
// session files.
func BenchmarkContexts(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(os.Getenv("PIFS_BIGSTORE"), "*/*.jsonl"))
	require.NoError(b, err)
	if len(paths) == 0 {
		b.Skip("PIFS_BIGSTORE names no store")
	}
	var size int64
	for _, path := range paths {
		info, err := os.Stat(path)
		require.NoError(b, err)
		size += info.Size()
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, path := range paths {
			s, err := writeback.Open(path, writeback.SessionOptions{})
			require.NoError(b, err)
			require.NotEmpty(b, s.Context())
		}
	}
}
