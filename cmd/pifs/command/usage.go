package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags refuses flags that would do something else than what they say. An empty
// value is that of a variable which is not set: it names no directory, and not the
// current one.
func checkFlags(flags *pflag.FlagSet) (err error) {
	if sample, _ := flags.GetBool("sample"); sample && flags.Changed("store") {
		return errors.New("--sample and --store can't be used together")
	}
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		if slices.Contains(values, "") {
			err = fmt.Errorf("--%s is empty", f.Name)
		}
	})
	return err
}

// explainFlag says which flag an unknown one may mean: the nearest, if it is near.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	meant, least := "", min(3, len(unknown.GetSpecifiedName()))
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := distance(unknown.GetSpecifiedName(), f.Name); d < least {
			meant, least = f.Name, d
		}
	})
	if meant == "" {
		return err
	}
	return fmt.Errorf("%w: did you mean --%s?", err, meant)
}

// distance returns how many letters must be added, taken away or replaced to make one
// word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // from what was read of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, replaced)
		}
	}
	return row[len(b)]
}

// noArgs lets a command have no arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments", cmd.Name())
	}
	return nil
}

// takes lets a command have at least some arguments, and at most some if most is not
// negative. None of them is empty. what says in words what they are.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return fmt.Errorf("%s takes %s", cmd.Name(), what)
		}
		if slices.Contains(args, "") {
			return fmt.Errorf("an argument is empty: %s takes %s", cmd.Name(), what)
		}
		return nil
	}
}
