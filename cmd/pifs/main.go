// Pifs mounts the sessions of the pi coding agent as directories and files.
package main

import (
	"os"

	"github.com/pifs/pifs/cmd/pifs/command"
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
