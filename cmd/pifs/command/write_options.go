package command

import (
	"github.com/spf13/pflag"

	"github.com/pifs/pifs/writeback"
)

// writeOptions say how commands write to session files.
type writeOptions struct {
	sync bool
}

func (o *writeOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.sync, "sync", true, "wait for the disk at each write")
}

func (o writeOptions) options() writeback.Options { return writeback.Options{NoSync: !o.sync} }
