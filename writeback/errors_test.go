package writeback_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/internal/needs"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// sentinels are all errors of the package, and what programs are told of them.
var sentinels = map[string]struct {
	err   error
	errno syscall.Errno
}{
	"ErrUnknownEntry":   {writeback.ErrUnknownEntry, syscall.EINVAL},
	"ErrText":           {writeback.ErrText, syscall.EINVAL},
	"ErrTooLong":        {writeback.ErrTooLong, syscall.EFBIG},
	"ErrNotJSON":        {writeback.ErrNotJSON, syscall.EINVAL},
	"ErrSessionID":      {writeback.ErrSessionID, syscall.EINVAL},
	"ErrReplacement":    {writeback.ErrReplacement, syscall.EINVAL},
	"ErrNotOnBranch":    {writeback.ErrNotOnBranch, syscall.EINVAL},
	"ErrNotEditable":    {writeback.ErrNotEditable, syscall.EINVAL},
	"ErrReadOnly":       {writeback.ErrReadOnly, syscall.EROFS},
	"ErrBusy":           {writeback.ErrBusy, syscall.EBUSY},
	"ErrHardLinks":      {writeback.ErrHardLinks, syscall.EMLINK},
	"ErrNotSession":     {writeback.ErrNotSession, syscall.EINVAL},
	"ErrNoConversation": {writeback.ErrNoConversation, syscall.EINVAL},
	"ErrStale":          {writeback.ErrStale, syscall.ESTALE},
}

// TestErrno maps each error of the package, and those of others.
func TestErrno(t *testing.T) {
	for name, s := range sentinels {
		assert.Equal(t, s.errno, writeback.Errno(s.err), name)
		assert.Equal(t, s.errno, writeback.Errno(fmt.Errorf("path: %w", s.err)), name)
		assert.Equal(t, s.errno, writeback.Errno(errors.Join(s.err, syscall.EIO)), name)
	}
	others := []struct {
		err   error
		errno syscall.Errno
	}{
		{nil, 0},
		{store.ErrReplaced, syscall.ESTALE},
		{&os.PathError{Op: "open", Err: syscall.EACCES}, syscall.EACCES},
		{fmt.Errorf("x: %w", &os.LinkError{Op: "rename", Err: syscall.ENOSPC}), syscall.ENOSPC},
		{fs.ErrNotExist, syscall.ENOENT},
		{context.Canceled, syscall.EINTR},
		{context.DeadlineExceeded, syscall.ETIMEDOUT},
		{errors.New("anything"), syscall.EIO},
	}
	for _, o := range others {
		assert.Equal(t, o.errno, writeback.Errno(o.err), "%v", o.err)
	}
}

// TestSentinels fails for an error of the package without a row above.
func TestSentinels(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(needs.Module(t), "writeback", "*.go"))
	require.NoError(t, err)
	found := 0
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && !strings.HasSuffix(path, "_test.go") {
				for _, name := range spec.Names {
					if strings.HasPrefix(name.Name, "Err") {
						assert.Contains(t, sentinels, name.Name)
						found++
					}
				}
			}
			return true
		})
	}
	assert.Equal(t, len(sentinels), found)
}
