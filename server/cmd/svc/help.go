package main

import (
	"fmt"
	"io"
)

const helpUsage = `svc help lists the commands. svc help COMMAND describes one of them, as svc COMMAND --help does.

  --man  print the manual page; man -l - shows it
`

// printHelp runs svc help.
func printHelp(args []string, out io.Writer) error {
	text, err := helpText(args)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

func helpText(args []string) (string, error) {
	switch {
	case len(args) == 0:
		return overview(), nil
	case wantsHelp(args):
		return helpUsage, nil
	case args[0] == "--man" && len(args) == 1:
		return manual(), nil
	}
	c, found := findCommand(args[0])
	if !found {
		return "", fmt.Errorf("%q is not a command\n\n%s", args[0], overview())
	}
	if len(args) == 1 {
		return c.usage, nil
	}
	for _, p := range c.parts {
		if p.name == args[1] && len(args) == 2 && p.usage != "" {
			return p.usage, nil
		}
	}
	return "", fmt.Errorf("svc %s has no command %q with a help of its own\n\n%s", c.name, args[1], c.usage)
}
