package fs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUndecodable writes what is no UTF-8: the write that makes it so fails, as
// shells ignore the errors of close.
func TestUndecodable(t *testing.T) {
	for _, row := range []struct {
		writes []string
		late   bool     // only the close can fail
		want   []string // what is appended
	}{
		{writes: []string{"caf\xe9\n"}},
		{writes: []string{"caf\xe9"}, late: true},
		{writes: []string{"\xff"}},
		{writes: []string{"caf\xc3\n"}},
		{writes: []string{"a\x80b"}},
		{writes: []string{"caf\xc3", "\xa9"}, want: []string{namedAs("café")}},
		{writes: []string{"\xf0\x9f", "\x98", "\x80\n"}, want: []string{namedAs("😀")}},
		{writes: []string{"\xf0\x9f", "x"}},
	} {
		m := newWriteMount(t, Options{})
		var err error
		got := m.added(func() {
			f, openErr := os.OpenFile(filepath.Join(m.dir, nameName), os.O_WRONLY|os.O_TRUNC, 0)
			require.NoError(t, openErr)
			for _, text := range row.writes {
				if _, err = f.WriteString(text); err != nil {
					break
				}
			}
			if closeErr := f.Close(); row.late {
				require.NoError(t, err)
				err = closeErr
			}
		})
		if row.want == nil {
			assert.ErrorIs(t, err, syscall.EINVAL, "%q", row.writes)
		} else {
			assert.NoError(t, err, "%q", row.writes)
		}
		assert.Equal(t, row.want, got, "%q", row.writes)
	}
}
