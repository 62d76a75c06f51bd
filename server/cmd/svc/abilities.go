package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"svc/server/platform/access"
)

const abilitiesUsage = `svc abilities prints what callers may do: each ability on the instance, in a group and in a project, with the
least role and the other conditions that it needs.

  --markdown     print Markdown tables, as in docs/abilities.md
`

// abilities runs svc abilities.
func abilities(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("svc abilities", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	markdown := flags.Bool("markdown", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(out, abilitiesUsage)
		return err
	case err != nil:
		return fmt.Errorf("%w\n\n%s", err, abilitiesUsage)
	case flags.NArg() > 0:
		return fmt.Errorf("svc abilities takes no argument\n\n%s", abilitiesUsage)
	case *markdown:
		return access.WriteMarkdown(out)
	}
	return access.WriteText(out)
}
