package command

import (
	"errors"

	"github.com/spf13/pflag"
)

// checkFlags refuses flags that contradict each other.
func checkFlags(flags *pflag.FlagSet) error {
	if sample, _ := flags.GetBool("sample"); sample && flags.Changed("store") {
		return errors.New("--sample and --store can't be used together")
	}
	return nil
}
