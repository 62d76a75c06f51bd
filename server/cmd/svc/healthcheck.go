package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const healthcheckAbout = `svc healthcheck asks the service on the address of --listen whether it is ready, and prints the
answer. The exit status is 0 if the service is ready, else 1. Containers without other programs use it.
It reads the settings of the service, because TLS, a UNIX socket and the PROXY protocol change the way to
ask. If the service manager has opened the socket, name its address with --listen.
`

// healthcheckTimeout is how long the service may take to answer.
const healthcheckTimeout = 5 * time.Second

// checkHealth runs svc healthcheck.
func checkHealth(ctx context.Context, args []string, out io.Writer) error {
	cfg, err := settings(args, out, healthcheckAbout)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	status, text, err := ask(ctx, cfg, "/-/readiness")
	if err != nil {
		return fmt.Errorf("the service does not answer: %w", err)
	}
	if err := printLine(out, "%s", strings.TrimSpace(text)); err != nil {
		return err
	}
	if status != http.StatusOK {
		return errors.New("the service is not ready")
	}
	return nil
}
