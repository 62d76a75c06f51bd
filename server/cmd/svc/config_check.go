package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"svc/server/platform/config"
)

const configUsage = `svc config check reads the settings as svc serve does, and prints all mistakes, or the settings in force with their
source. Secrets are hidden.

  svc config check [--json]

  --json  print JSON

The settings of svc serve can be given, too; svc serve --help lists them. The exit status is 1 if there are mistakes.
`

// configReport is the output of svc config check --json.
type configReport struct {
	Valid    bool             `json:"valid"`
	Mistakes []string         `json:"mistakes"`
	Warnings []string         `json:"warnings"`
	Settings []config.InForce `json:"settings"`
}

// checkConfig runs svc config.
func checkConfig(args []string, out io.Writer) error {
	if len(args) == 0 || args[0] != "check" {
		if len(args) > 0 && (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
			_, err := io.WriteString(out, configUsage)
			return err
		}
		return fmt.Errorf("svc config has one command, check\n\n%s", configUsage)
	}
	asJSON := false
	e, err := config.Explain(args[1:], os.Environ(), func(set *flag.FlagSet) { set.BoolVar(&asJSON, "json", false, "") })
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, configUsage)
		return err
	}
	if err != nil {
		return err
	}
	if asJSON {
		report := configReport{
			Valid: len(e.Mistakes) == 0, Mistakes: append([]string{}, e.Mistakes...), Warnings: append([]string{}, e.Warnings...),
			Settings: e.Settings,
		}
		err = printJSON(out, report)
	} else {
		err = printSettings(out, e)
	}
	if err == nil && len(e.Mistakes) > 0 {
		err = fmt.Errorf("these settings are invalid:\n%w", e.Mistakes)
	}
	return err
}

// printSettings prints the settings for people, unless there are mistakes: then only those matter.
func printSettings(out io.Writer, e config.Explanation) error {
	for _, text := range e.Warnings {
		fmt.Fprintln(os.Stderr, "svc: warning: "+text)
	}
	if len(e.Mistakes) > 0 {
		return nil
	}
	rows := make([][]string, len(e.Settings))
	for i, s := range e.Settings {
		rows[i] = []string{s.Key, s.Value, s.Source}
	}
	return printTable(out, "SETTING VALUE SOURCE", rows)
}
