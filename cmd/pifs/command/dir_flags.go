package command

import (
	"strings"

	"github.com/spf13/pflag"
)

// A dirValue is a flag's value: a directory.
type dirValue string

func (d *dirValue) Type() string { return "DIR" }

func (d *dirValue) String() string { return string(*d) }

func (d *dirValue) Set(dir string) error {
	*d = dirValue(dir)
	return nil
}

// A dirsValue is the value of a flag that can be repeated: directories.
type dirsValue []string

var _ pflag.SliceValue = (*dirsValue)(nil)

func (d *dirsValue) Type() string { return "DIR" }

func (d *dirsValue) String() string { return strings.Join(*d, ", ") }

func (d *dirsValue) Set(dir string) error { return d.Append(dir) }

// Append, Replace and GetSlice make it one whose name is completed again.
func (d *dirsValue) Append(dir string) error {
	*d = append(*d, dir)
	return nil
}

func (d *dirsValue) Replace(dirs []string) error {
	*d = dirs
	return nil
}

func (d *dirsValue) GetSlice() []string { return *d }
