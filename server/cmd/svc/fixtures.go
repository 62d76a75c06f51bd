package main

import (
	"fmt"
	"io"

	"svc/server/domain/fixture"
)

const fixturesUsage = `svc fixtures helps to write the file of svc serve --fixtures.

  svc fixtures schema      print the JSON schema of the file
  svc fixtures check FILE  report every mistake in a file, with its line
`

// fixtures runs svc fixtures.
func fixtures(args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "schema":
		_, err := out.Write(fixture.Schema)
		return err
	case len(args) == 2 && args[0] == "check":
		doc, err := fixture.ReadFile(args[1])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s has no mistakes: %d users, %d groups, %d projects.\n",
			args[1], len(doc.Users), len(doc.Groups), len(doc.Projects))
		return err
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		_, err := io.WriteString(out, fixturesUsage)
		return err
	}
	return fmt.Errorf("svc fixtures needs schema, or check and a file\n\n%s", fixturesUsage)
}
