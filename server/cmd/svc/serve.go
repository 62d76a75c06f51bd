package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"svc/server"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/keypair"
	"svc/server/transport/listen"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/secret"
	"svc/store/storage"
)

const serveAbout = "svc serve starts the service."

// serve runs svc serve, from reading the settings to a clean shutdown.
func serve(ctx context.Context, args []string, out io.Writer) error {
	began, manager := time.Now(), listen.FindManager()
	cfg, err := settings(args, out, serveAbout)
	if err != nil {
		return err
	}
	loaded, signals := cfg, catchReload(cfg)
	ctx, stop := untilStdinEnds(ctx, cfg)
	defer stop()
	data, err := readTestData(cfg)
	if err != nil {
		return err
	}
	forget, err := ephemeral(&cfg)
	if err != nil {
		return err
	}
	defer forget() // after the database is closed
	known := makeKnown(&cfg, data)
	lock, err := lockData(cfg.Data)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := server.CheckRestored(cfg); err != nil {
		return err
	}
	logger, lines := newLogger(cfg, os.Stderr)
	defer lines.Flush()
	tuneGC(cfg)
	if err := ready(ctx, cfg); err != nil {
		return err
	}
	urlGiven := cfg.URLGiven() // before the listener has changed the port
	l, err := bind(ctx, &cfg)
	if err != nil {
		return err
	}
	s := startup{
		cfg: cfg, urlGiven: urlGiven, data: data, known: known, listeners: l, logger: logger, out: out, began: began, manager: manager,
		reload: &reloader{
			signals: signals, args: args, loaded: loaded, lines: lines, logger: logger,
		},
	}
	if cfg.TestMode {
		return s.serveWorlds(ctx)
	}
	return s.serveInstance(ctx)
}

// startup is what a start has prepared before it opens the database.
type startup struct {
	cfg       config.Config
	urlGiven  bool      // the settings have a URL other than the listen address
	data      *testData // nil for none
	known     bool      // the secrets of the instance are known
	listeners listeners
	logger    *slog.Logger
	out       io.Writer
	began     time.Time
	manager   listen.Manager
	reload    *reloader
}

// serveInstance opens the database and serves it until the context ends.
func (u startup) serveInstance(ctx context.Context) error {
	cfg, data, l := u.cfg, u.data, u.listeners
	st, prepared, err := openFirst(ctx, cfg, data, u.known)
	if err != nil {
		return err
	}
	defer st.Close()
	from := beginning{data: data, prepared: prepared, release: holdClock(st, data)}
	note, err := setKey(ctx, &cfg, st)
	if err != nil {
		return err
	}
	if err := checkURL(ctx, cfg, u.urlGiven, st); err != nil {
		return err
	}
	s, first, err := begin(ctx, cfg, st, u.logger, from)
	if err != nil {
		return err
	}
	warnOfSharedDomain(cfg, u.logger)
	defer hashInProcesses()()
	ended := make(chan error, 5)
	go func() { ended <- s.Serve(l.web) }()
	note += serveSSH(s, l.ssh, cfg, ended) + l.sites.serve(s, cfg, ended) + serveRedirects(s, l.redirect, ended)
	people, err := announce(u.out, cfg, first, time.Since(u.began), note)
	if err != nil {
		return err
	}
	defer releaseWhenQuiet(u.logger)()

	u.reload.running = cfg
	go u.reload.run(ctx, s.Reload, u.tell)
	u.tell(listen.Ready)
	defer context.AfterFunc(ctx, func() { u.tell(listen.Stopping) })()
	return wait(ctx, cfg, s.Shutdown, s.Leave, ended, people)
}

// tell tells the service manager how the service is doing.
func (u startup) tell(state string) {
	if err := u.manager.Tell(state); err != nil {
		u.logger.Warn("cannot tell the service manager the state of the service", "state", state, "error", err)
	}
}

// warnOfSharedDomain warns if scripts of sites can act as signed-in users.
func warnOfSharedDomain(cfg config.Config, logger *slog.Logger) {
	if shared := cfg.SharedDomain(); shared != "" {
		logger.Warn("sites share a domain with the service, so their scripts can act as signed-in users; "+
			"set pages-host to a separate domain", "domain", shared)
	}
}

// announce prints that the service is ready, and returns where texts for people go. An ephemeral instance prints one
// line of JSON for the program that started it, and the texts for people on standard error.
func announce(out io.Writer, cfg config.Config, first firstStart, took time.Duration, note string) (io.Writer, error) {
	people := out
	if cfg.Ephemeral {
		people = os.Stderr
	}
	printStart(people, cfg, first, took, note)
	first.data.show(people)
	if !cfg.Ephemeral {
		return people, nil
	}
	return people, newReadyLine(cfg, first).write(out)
}

// ready checks what the service needs from the machine: git, its certificate, and a writable data folder.
func ready(ctx context.Context, cfg config.Config) error {
	if err := git.CheckVersion(ctx); err != nil {
		return err
	}
	if _, err := new(keypair.Files).Load(cfg.TLSCert, cfg.TLSKey); err != nil {
		return fmt.Errorf("the certificate of the service: %w", err)
	}
	if err := storage.CheckWritable(cfg.Data); err != nil {
		if storage.Full(err) {
			return fmt.Errorf("the disk of the data folder is full; free some space first: %w", err)
		}
		return fmt.Errorf("write to the data folder: %w", err)
	}
	if err := storage.CheckSpace(cfg.Data, uint64(cfg.MinFreeSpace)<<20); err != nil {
		fmt.Fprintln(os.Stderr, "svc: warning: "+err.Error()+"; the service is not ready until there is more space")
	}
	return nil
}

// openFirst opens the database. With known secrets, the instance begins with the prepared data, or with a known id.
func openFirst(ctx context.Context, cfg config.Config, data *testData, known bool) (st *store.Store, prepared bool, err error) {
	if known {
		if prepared, err = writePrepared(cfg, data); err != nil {
			return nil, false, err
		}
	}
	if st, _, err = openMigrated(ctx, cfg); err != nil || !known || prepared {
		return st, prepared, err
	}
	if err := st.Instance.Begin(ctx, knownInstance); err != nil {
		return nil, false, errors.Join(err, st.Close())
	}
	return st, false, nil
}

// beginning says how a new instance begins.
type beginning struct {
	data     *testData // nil without test data
	prepared bool      // the data folder holds the data already
	release  func()    // lets the clock run
}

// begin creates the server, and the administrator and the test data if the instance is new, and starts background work.
func begin(
	ctx context.Context, cfg config.Config, st *store.Store, logger *slog.Logger, from beginning,
) (*server.Server, firstStart, error) {
	ops, err := server.LoadOperations()
	if err != nil {
		return nil, firstStart{}, err
	}
	s, err := server.New(cfg, st, ops, logger)
	if err != nil {
		return nil, firstStart{}, err
	}
	if err := st.Instance.Set(ctx, map[string]any{"program": build.Read().Version}); err != nil {
		return nil, firstStart{}, err
	}
	var first firstStart
	if from.prepared {
		first, err = usePrepared(ctx, cfg, st, from.data)
	} else {
		first, err = createFirst(clock.With(ctx, st.Clock()), cfg, s.Fixtures(), from.data)
	}
	if err != nil {
		return nil, first, err
	}
	from.release()
	return s, first, s.Start()
}

// hashInProcesses makes separate processes hash the passwords. It returns a function that ends these processes.
func hashInProcesses() (stop func()) {
	self, err := os.Executable()
	if err != nil {
		return func() {} // this process hashes them instead
	}
	return secret.HashInProcesses(self, hashCommand)
}

// serveSSH starts to serve git over SSH, if it is on, and returns the line to print about it.
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

// wait waits until the context or a listener ends, and then stops the server. leave makes the server report that it is
// not ready.
func wait(
	ctx context.Context, cfg config.Config, shutdown func(context.Context) error, leave func(), ended <-chan error, out io.Writer,
) error {
	select {
	case err := <-ended:
		return errors.Join(err, shutdown(context.WithoutCancel(ctx)))
	case <-ctx.Done():
	}
	if cfg.ShutdownDelay > 0 {
		leave()
		fmt.Fprintf(out, "Stopping in %s: the server is no longer ready, but still answers.\n", cfg.ShutdownDelay)
		time.Sleep(cfg.ShutdownDelay)
	}
	fmt.Fprintln(out, "Stopping: waiting for running requests to finish.")
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), cfg.ShutdownTimeout)
	defer cancel()
	if err := shutdown(patience); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	fmt.Fprintln(out, "Stopped.")
	return nil
}

// ephemeral moves all data into a temporary folder, if the settings ask for that. It returns a function that deletes
// the folder.
func ephemeral(cfg *config.Config) (forget func(), err error) {
	if !cfg.Ephemeral {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp("", "svc-ephemeral-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary folder: %w", err)
	}
	cfg.Data, cfg.SQLiteSync = folder, "normal"
	return func() { os.RemoveAll(folder) }, nil
}

// printStart prints what a new user needs. Secrets are printed only until somebody has used them.
func printStart(out io.Writer, cfg config.Config, first firstStart, took time.Duration, note string) {
	database := "SQLite in " + cfg.Data
	if cfg.Ephemeral {
		database += ", which is deleted at the end"
	}
	if cfg.DatabaseURL != "" {
		database = "PostgreSQL"
	}
	fmt.Fprintf(out, "svc serves %s on %s, ready after %d ms.\n", cfg.URL, database, took.Milliseconds())
	fmt.Fprint(out, note)
	first.show(out, cfg.URL)
}
