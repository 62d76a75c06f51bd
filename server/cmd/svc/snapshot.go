package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"svc/server/cmd/svc/snapshot"
)

const snapshotUsage = `svc snapshot reads a running instance over its API and writes a file for svc serve --fixtures.

  --url URL      the instance
  --token TOKEN  a personal access token of an administrator, with the scope api; better pass it as SVC_TOKEN
  --output FILE  the file to write; without it, the file is printed

Secrets cannot be read: users have no passwords, and tokens get texts that follow from their names.
`

// takeSnapshot runs svc snapshot.
func takeSnapshot(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("svc snapshot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	url := flags.String("url", os.Getenv("SVC_URL"), "")
	token := flags.String("token", os.Getenv("SVC_TOKEN"), "")
	output := flags.String("output", "", "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(out, snapshotUsage)
		return err
	case err != nil:
		return fmt.Errorf("%w\n\n%s", err, snapshotUsage)
	case flags.NArg() > 0 || *url == "" || *token == "":
		return fmt.Errorf("svc snapshot needs --url and --token, and takes no argument\n\n%s", snapshotUsage)
	}
	doc, err := snapshot.Take(ctx, snapshot.Options{
		URL: *url, Token: *token, Warn: func(text string) { fmt.Fprintln(os.Stderr, "svc: left out: "+text) },
	})
	if err != nil {
		return fmt.Errorf("take a snapshot: %w", err)
	}
	data, err := doc.YAML()
	if err != nil {
		return err
	}
	if *output != "" {
		return os.WriteFile(*output, data, 0o600)
	}
	_, err = out.Write(data)
	return err
}
