// Bigstore writes a large, reproducible store of version 3 sessions for
// benchmarks: sizes, branches, compactions, labels and names as in real use.
//
//	go run ./scripts/bigstore -out DIR [-n SESSIONS] [-text FILE.jsonl,…]
//
// The text is taken from the session files given, or else from the sample that
// pifs carries. With the defaults: 2,000 sessions, about 600 MB, in some seconds.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bigstore:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("bigstore", flag.ContinueOnError)
	var o options
	flags.StringVar(&o.dir, "out", "", "folder to write: sessions/--project--/*.jsonl below it")
	flags.IntVar(&o.sessions, "n", 2000, "sessions")
	flags.IntVar(&o.projects, "projects", 40, "projects")
	flags.Int64Var(&o.seed, "seed", 1, "the same seed and text write the same bytes")
	flags.Float64Var(&o.medianBytes, "median", 34e3, "median size of a session in bytes")
	flags.Float64Var(&o.sigma, "sigma", 2.1, "spread: sizes are log-normal")
	flags.Float64Var(&o.maxBytes, "max", 50e6, "largest session in bytes")
	texts := flags.String("text", "", "session files to take text from, comma separated (default: the sample)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.dir == "" || o.sessions < 1 || o.projects < 1 {
		return fmt.Errorf("-out DIR is missing, or -n or -projects is below 1")
	}
	var c *corpus
	var err error
	if *texts == "" {
		c, err = sampleCorpus()
	} else {
		c, err = fileCorpus(strings.Split(*texts, ","))
	}
	if err != nil {
		return err
	}
	written, err := write(o, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d sessions, %d bytes (%.1f MB), %d lines, mean line %.0f B\n", o.sessions,
		written.bytes, float64(written.bytes)/1e6, written.lines, float64(written.bytes)/float64(written.lines))
	return nil
}
