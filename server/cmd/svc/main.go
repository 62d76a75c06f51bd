// Command svc is the service: one program, started by its first argument.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // users' local times, also where the machine has no time zones

	"svc/gen"
	"svc/server/platform/build"
	"svc/store"
	"svc/store/secret"
)

const usage = `svc hosts source-code projects and their CI/CD.

  svc serve      start the service; all settings: svc serve --help
  svc migrate    bring the database to this version's schema
  svc admin      make users, tokens and administrators: svc admin --help
  svc openapi    print the OpenAPI document (--json for JSON)
  svc version    print what this program was built from
`

// hashCommand is what svc serve starts itself with, to hash passwords aside.
const hashCommand = "hash-passwords"

func main() {
	signal.Ignore(syscall.SIGXFSZ) // a file that may not grow any more is an error, which a request is answered with
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(store.Patient(ctx), os.Args[1:], os.Stdout)
	stop()
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "svc: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch command {
	case "serve":
		return serve(ctx, args, out)
	case "migrate":
		return migrate(ctx, args, out)
	case "admin":
		return admin(ctx, args, out)
	case "openapi":
		return document(args, out)
	case hashCommand:
		return secret.ServeHashes(os.Stdin, out)
	case "version", "--version":
		b := build.Read()
		_, err := fmt.Fprintf(out, "svc %s, revision %s, %s\n", b.Version, b.Revision, b.Go)
		return err
	case "help", "--help", "-h":
		_, err := io.WriteString(out, usage)
		return err
	case "":
		return fmt.Errorf("no command given\n\n%s", usage)
	}
	return fmt.Errorf("%q is not a command\n\n%s", command, usage)
}

func document(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("svc openapi", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON instead of YAML")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *asJSON {
		_, err := fmt.Fprintf(out, "%s\n", gen.SpecJSON)
		return err
	}
	_, err := out.Write(gen.SpecYAML())
	return err
}
