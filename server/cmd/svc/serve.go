package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"svc/server"
	"svc/server/account"
	"svc/server/config"
	"svc/server/seed"
	"svc/store"
	"svc/store/secret"
)

// serve is the command of that name: from settings to a clean end.
func serve(ctx context.Context, args []string, out io.Writer) error {
	began := time.Now()
	cfg, err := settings(args, out, "svc serve starts the service.")
	if err != nil {
		return err
	}
	forget, err := ephemeral(&cfg)
	if err != nil {
		return err
	}
	defer forget() // after the database is closed
	lock, err := lockData(cfg.Data)
	if err != nil {
		return err
	}
	defer lock.Close()
	note, err := setKey(&cfg)
	if err != nil {
		return err
	}
	logger, lines := newLogger(cfg, os.Stderr)
	defer lines.Flush()
	spendMemory()

	st, root, demo, err := openReady(ctx, cfg)
	if err != nil {
		return err
	}
	defer st.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with --listen", cfg.Listen, err)
	}
	if cfg.URL == config.DefaultURL(cfg.Listen) {
		cfg.URL = config.DefaultURL(listener.Addr().String()) // --listen …:0 takes any free port
	}
	shell, err := listenSSH(ctx, &cfg)
	if err != nil {
		return err
	}
	sites, err := listenSites(ctx, &cfg)
	if err != nil {
		return err
	}
	ops, err := server.LoadOperations()
	if err != nil {
		return err
	}
	s, err := server.New(cfg, st, ops, logger)
	if err != nil {
		return err
	}
	if shared := cfg.SharedDomain(); shared != "" {
		logger.Warn("sites of projects share a domain with the service: their scripts can act on signed-in users; set pages-host to a domain of its own", "domain", shared)
	}
	defer hashAside()()
	ended := make(chan error, 4)
	go func() { ended <- s.Serve(listener) }()
	note += serveSSH(s, shell, cfg, ended) + sites.serve(s, cfg, ended)
	greet(out, cfg, root, time.Since(began), note)
	showSeed(out, demo)
	debug.FreeOSMemory() // hashing the first password takes more than serving does

	return wait(ctx, cfg, s, ended, out)
}

// hashAside has passwords hashed by processes of their own, and returns what ends these.
func hashAside() (stop func()) {
	self, err := os.Executable()
	if err != nil {
		return func() {} // so they are hashed here
	}
	return secret.HashAside(self, hashCommand)
}

// serveSSH begins to serve git over SSH, if it is to be, and returns what to tell of it.
func serveSSH(s *server.Server, listener net.Listener, cfg config.Config, ended chan<- error) string {
	if listener == nil {
		return ""
	}
	go func() {
		if err := s.ServeSSH(listener); err != nil {
			ended <- err
		}
	}()
	return fmt.Sprintf("Git over SSH is on %s; the host keys are %s.\n", cfg.SSHListen, strings.Join(s.HostKeys(), " and "))
}

// wait waits for the end and stops the server then.
func wait(ctx context.Context, cfg config.Config, s *server.Server, ended <-chan error, out io.Writer) error {
	select {
	case err := <-ended:
		return errors.Join(err, s.Shutdown(context.WithoutCancel(ctx)))
	case <-ctx.Done():
	}
	fmt.Fprintln(out, "Stopping: finishing the requests that have begun.")
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), cfg.ShutdownTimeout)
	defer cancel()
	if err := s.Shutdown(patience); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	fmt.Fprintln(out, "Stopped.")
	return nil
}

// listenSSH listens where git over SSH is to be served, if it is.
func listenSSH(ctx context.Context, cfg *config.Config) (net.Listener, error) {
	if cfg.SSHListen == "" {
		return nil, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.SSHListen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; choose another address with --ssh-listen", cfg.SSHListen, err)
	}
	cfg.SSHListen = listener.Addr().String() // …:0 takes any free port
	return listener, nil
}

// ephemeral puts all data into a temporary folder, if that is asked for, and returns what deletes it.
func ephemeral(cfg *config.Config) (forget func(), err error) {
	if !cfg.Ephemeral {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp("", "svc-ephemeral-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	cfg.Data, cfg.SQLiteSync = folder, "normal"
	return func() { os.RemoveAll(folder) }, nil
}

// spendMemory trades memory for processor time: what lives between requests is small, so collecting at five times of
// it instead of two costs a few megabytes. GOGC, where it is set, wins.
func spendMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// openReady opens the database, migrates it and, if it is new, makes the administrator and the demonstration data.
func openReady(ctx context.Context, cfg config.Config) (*store.Store, *account.Root, *seed.Result, error) {
	st, err := openStore(ctx, cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	root, demo, err := fill(ctx, cfg, st)
	if err != nil {
		return nil, nil, nil, errors.Join(err, st.Close())
	}
	return st, root, demo, nil
}

func fill(ctx context.Context, cfg config.Config, st *store.Store) (*account.Root, *seed.Result, error) {
	if _, err := st.Migrate(ctx); err != nil {
		return nil, nil, err
	}
	root, err := account.First(ctx, st, cfg.RootPassword, cfg.RootToken)
	if err != nil || root == nil || cfg.Seed == 0 {
		return root, nil, err
	}
	demo, err := seed.Fill(ctx, st, uint64(cfg.Seed), seed.Small, nil)
	return root, &demo, err
}

// greet tells what a new user needs, and secrets only once: at the first start.
func greet(out io.Writer, cfg config.Config, root *account.Root, took time.Duration, note string) {
	database := "SQLite in " + cfg.Data
	if cfg.Ephemeral {
		database += ", which is deleted at the end"
	}
	if cfg.DatabaseURL != "" {
		database = "PostgreSQL"
	}
	fmt.Fprintf(out, "svc serves %s on %s, ready after %d ms.\n", cfg.URL, database, took.Milliseconds())
	fmt.Fprint(out, note)
	if root == nil {
		return
	}
	fmt.Fprintf(out, `
This is the first start. Keep these: they are not shown again.

  administrator  %s
  password       %s
  token          %s

Try it:

  curl --header "PRIVATE-TOKEN: %s" %s/api/v4/user

Sign in at %s/users/sign_in; the API explorer is at %s/-/docs
`, root.Username, root.Password, root.Token, root.Token, cfg.URL, cfg.URL, cfg.URL)
}
