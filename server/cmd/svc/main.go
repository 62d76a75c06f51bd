// Command svc is the service and its administration: the first argument selects the command.
//
//	main.go         the start and the end of the program
//	commands.go     the table of commands
//	help.go         svc help
//	manual.go       the manual page
//	completion.go   svc completion
//	serve.go        svc serve: start, wait, stop
//	listeners.go    opens the listeners
//	reload.go       SIGHUP: reads the settings and certificates again
//	ready.go        the line of JSON that an ephemeral instance prints
//	worlds.go       svc serve --test-mode: worlds and the control plane for tests
//	stdin.go        the end of the service with standard input
//	first.go        the first administrator, and its password and token
//	key.go          the secret key in the data folder
//	lock.go         the lock on the data folder
//	sites.go        the listeners of Pages sites
//	healthcheck.go  svc healthcheck
//	open.go         settings, the database, svc migrate
//	backup.go       svc backup
//	restore.go      svc restore
//	movedatabase.go svc migrate-database
//	admin*.go       svc admin
//	key_rotate.go   svc admin rotate-secret-key
//	doctor*.go      svc doctor
//	config_check.go  svc config check
//	seed.go         test data of a new instance: seeds, fixtures and svc admin seed
//	image.go        the prepared data of one seed, and known secrets of ephemeral instances
//	fixtures.go     svc fixtures
//	snapshot.go     svc snapshot
//	abilities.go    svc abilities
//	openapi.go      svc openapi
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

	"svc/store"
	"svc/store/secret"
)

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
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "":
		return fmt.Errorf("no command given\n\n%s", overview())
	case hashCommand:
		return secret.ServeHashes(os.Stdin, out)
	case "--version":
		name = "version"
	case "--help", "-h":
		name = "help"
	}
	c, found := findCommand(name)
	if !found {
		return fmt.Errorf("%q is not a command\n\n%s", name, overview())
	}
	return c.run(ctx, args, out)
}
