// Command svc is the service and its administration: the first argument selects the command.
//
//	main.go         the commands, and svc openapi and svc version
//	serve.go        svc serve: start, wait, stop
//	ready.go        the line of JSON that an ephemeral instance prints
//	worlds.go       svc serve --test-mode: worlds and the control plane for tests
//	stdin.go        the end of the service with standard input
//	first.go        the first administrator, and its password and token
//	key.go          the secret key in the data folder
//	lock.go         the lock on the data folder
//	sites.go        the listeners of Pages sites
//	open.go         settings, the database, svc migrate
//	admin.go        svc admin
//	seed.go         test data of a new instance: seeds, fixtures and svc admin seed
//	image.go        the prepared data of one seed, and known secrets of ephemeral instances
//	fixtures.go     svc fixtures
//	snapshot.go     svc snapshot
//	abilities.go    svc abilities
//	conformance.go  svc conformance
//	log.go          a logger that writes lines together
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
	_ "time/tzdata" // time zones of users, even if the machine has no time zone database

	"svc/server/platform/build"
	"svc/store"
	"svc/store/secret"
)

const usage = `svc hosts source-code projects and their CI/CD.

  svc serve        start the service; all settings: svc serve --help
  svc migrate      update the database to the schema of this version
  svc admin        create users, tokens and administrators: svc admin --help
  svc fixtures     check a file of test data, or print its format: svc fixtures --help
  svc snapshot     write the content of a running instance to a file of test data: svc snapshot --help
  svc conformance  test an installation against the contract: svc conformance --help
  svc abilities    print what callers may do and which role they need (--markdown for Markdown)
  svc openapi      print the OpenAPI document: svc openapi --help
  svc version      print the version of this program
`

// hashCommand is the command with which svc serve starts itself, to hash passwords in separate processes.
const hashCommand = "hash-passwords"

func main() {
	// A write beyond the file size limit returns an error, which the request reports, instead of ending the process.
	signal.Ignore(syscall.SIGXFSZ)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(store.Background(ctx), os.Args[1:], os.Stdout)
	stop()
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "svc: "+err.Error())
		status := exitError{status: 1}
		errors.As(err, &status)
		os.Exit(status.status)
	}
}

// exitError is an error with an exit status of its own.
type exitError struct {
	status int
	error
}

func (e exitError) Unwrap() error { return e.error }

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
	case "abilities":
		return abilities(args, out)
	case "fixtures":
		return fixtures(args, out)
	case "snapshot":
		return takeSnapshot(ctx, args, out)
	case "openapi":
		return printDocument(args, out)
	case "conformance":
		return testConformance(ctx, args, out)
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
