package command

import (
	"os"
	"path/filepath"
)

// memoryFile is where pifs remembers what lists tell of sessions: in the user's
// cache directory; indexes are kept beside it. It is "", for no memory, if there is no
// such directory.
func memoryFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "pifs", "sessions.json")
}
