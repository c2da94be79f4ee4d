package writeback

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
)

// MaxText is how long a name or a label may be, in bytes.
const MaxText = 4096

// CheckText returns ErrText or ErrTooLong for what cannot be a name or a label.
// Everything else can: pi stores labels as they are given, with line breaks and
// control characters escaped as JSON has it.
func CheckText(text string) error {
	if len(text) > MaxText {
		return fmt.Errorf("%w: %d", ErrTooLong, len(text))
	}
	if !utf8.ValidString(text) {
		return ErrText
	}
	return nil
}

// CheckLabel is [CheckText] for what a user gives as a label: also ErrText for one that
// is nothing but white space, which pi would store and nobody would see. The empty label,
// which clears, is none of its business.
func CheckLabel(label string) error {
	if label != "" && model.Trim(label) == "" {
		return ErrText
	}
	return CheckText(label)
}

// CleanName returns name as it is stored: runs of line breaks become a space and
// the ends are trimmed, as pi does, and other control characters are dropped. The
// errors are those of [CheckText].
func CleanName(name string) (string, error) {
	if err := CheckText(name); err != nil {
		return "", err
	}
	return model.Trim(strings.Map(printable, joinLines(name))), nil
}

var lineBreaks = regexp.MustCompile(`[\r\n]+`)

// joinLines is what pi does to a name before it trims it.
func joinLines(name string) string { return lineBreaks.ReplaceAllLiteralString(name, " ") }

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}
