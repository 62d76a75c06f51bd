// Command svc is the service and its administration: the first argument selects the command.
//
//	main.go       the commands, and svc openapi and svc version
//	serve.go      svc serve: start, wait, stop
//	first.go      the first administrator, and its password and token
//	key.go        the secret key in the data folder
//	lock.go       the lock on the data folder
//	sites.go      the listeners of Pages sites
//	open.go       settings, the database, svc migrate
//	admin.go      svc admin
//	seed.go       svc admin seed
//	abilities.go  svc abilities
//	log.go        a logger that writes lines together
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

  svc serve      start the service; all settings: svc serve --help
  svc migrate    update the database to the schema of this version
  svc admin      create users, tokens and administrators: svc admin --help
  svc abilities  print what callers may do and which role they need (--markdown for Markdown)
  svc openapi    print the OpenAPI document: svc openapi --help
  svc version    print the version of this program
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
	case "abilities":
		return abilities(args, out)
	case "openapi":
		return printDocument(args, out)
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
