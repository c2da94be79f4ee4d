package fs

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// TestErrno maps each error of the package, and those of others.
func TestErrno(t *testing.T) {
	sentinels := map[string]struct {
		err  error
		want syscall.Errno
	}{
		"ErrNotExist":     {ErrNotExist, syscall.ENOENT},
		"ErrStale":        {ErrStale, syscall.ESTALE},
		"ErrNotPermitted": {ErrNotPermitted, syscall.EPERM},
		"ErrReadOnly":     {ErrReadOnly, syscall.EROFS},
		"ErrExists":       {ErrExists, syscall.EEXIST},
	}
	for name, row := range sentinels {
		assert.Equal(t, row.want, Errno(fmt.Errorf("path: %w", row.err)), name)
	}
	for err, want := range map[error]syscall.Errno{
		nil:                       0,
		writeback.ErrUnknownEntry: syscall.EINVAL,
		writeback.ErrBusy:         syscall.EBUSY,
		store.ErrReplaced:         syscall.ESTALE,
		syscall.ENOSPC:            syscall.ENOSPC,
		errors.New("unforeseen"):  syscall.EIO,
	} {
		assert.Equal(t, want, Errno(err), "%v", err)
	}

	file, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	require.NoError(t, err)
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Err") {
			assert.Contains(t, sentinels, spec.Names[0].Name)
			found++
		}
		return true
	})
	assert.Equal(t, len(sentinels), found)
}
