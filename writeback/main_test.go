package writeback_test

import (
	"os"
	"strconv"
)

// envInt returns the number in an environment variable.
func envInt(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
