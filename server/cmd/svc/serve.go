package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"svc/server"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/secret"
	"svc/store/storage"
)

// serve runs svc serve, from reading the settings to a clean shutdown.
func serve(ctx context.Context, args []string, out io.Writer) error {
	began := time.Now()
	cfg, err := settings(args, out, "svc serve starts the service.")
	if err != nil {
		return err
	}
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
	logger, lines := newLogger(cfg, os.Stderr)
	defer lines.Flush()
	tuneGC(cfg)
	if err := ready(ctx, cfg); err != nil {
		return err
	}
	l, err := bind(ctx, &cfg)
	if err != nil {
		return err
	}
	s := startup{cfg: cfg, data: data, known: known, listeners: l, logger: logger, out: out, began: began}
	if cfg.TestMode {
		return s.serveWorlds(ctx)
	}
	return s.serveInstance(ctx)
}

// startup is what a start has prepared before it opens the database.
type startup struct {
	cfg       config.Config
	data      *testData // nil for none
	known     bool      // the secrets of the instance are known
	listeners listeners
	logger    *slog.Logger
	out       io.Writer
	began     time.Time
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
	s, first, err := begin(ctx, cfg, st, u.logger, from)
	if err != nil {
		return err
	}
	warnOfSharedDomain(cfg, u.logger)
	defer hashInProcesses()()
	ended := make(chan error, 4)
	go func() { ended <- s.Serve(l.web) }()
	note += serveSSH(s, l.ssh, cfg, ended) + l.sites.serve(s, cfg, ended)
	people, err := announce(u.out, cfg, first, time.Since(u.began), note)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // hashing the first password needs more memory than serving does

	return wait(ctx, cfg, s.Shutdown, ended, people)
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

// ready checks what the service needs from the machine: git, and a writable data folder.
func ready(ctx context.Context, cfg config.Config) error {
	if err := git.CheckVersion(ctx); err != nil {
		return err
	}
	file, err := os.CreateTemp(cfg.Data, "space.*")
	if err != nil {
		return fmt.Errorf("write to the data folder: %w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(make([]byte, probeSize))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
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

// probeSize is how many bytes are written to check whether the disk has space.
const probeSize = 64 << 10

// listeners are the open listeners of the service.
type listeners struct {
	web, ssh net.Listener // ssh is nil without git over SSH
	sites    siteListeners
	control  net.Listener // nil without test mode
}

// bind opens all listeners. It runs before an instance is created, so that a start that fails because an address is in
// use leaves nothing behind.
func bind(ctx context.Context, cfg *config.Config) (l listeners, err error) {
	if l.web, err = (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Listen); err != nil {
		return l, fmt.Errorf("listen on %s: %w; choose another address with --listen", cfg.Listen, err)
	}
	if cfg.URL == config.DefaultURL(cfg.Listen) {
		cfg.URL = config.DefaultURL(l.web.Addr().String()) // --listen …:0 takes any free port
	}
	if l.ssh, err = listenSSH(ctx, cfg); err != nil {
		return l, err
	}
	if l.control, err = listenControl(ctx, cfg); err != nil {
		return l, err
	}
	l.sites, err = listenSites(ctx, cfg)
	return l, err
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

// wait waits until the context or a listener ends, and then stops the server.
func wait(
	ctx context.Context, cfg config.Config, shutdown func(context.Context) error, ended <-chan error, out io.Writer,
) error {
	select {
	case err := <-ended:
		return errors.Join(err, shutdown(context.WithoutCancel(ctx)))
	case <-ctx.Done():
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

// listenSSH opens the listener for git over SSH, if the settings have one.
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

// testModeMemory is the heap size near which test mode collects garbage more often.
const testModeMemory = 224 << 20

// tuneGC trades memory for processor time. Little data lives between requests, so collecting garbage at five times
// the live heap instead of two costs a few megabytes. The environment variable GOGC overrides this. Many worlds in one
// process have more data, and tests need less speed.
func tuneGC(cfg config.Config) {
	switch {
	case os.Getenv("GOGC") != "":
	case cfg.TestMode:
		debug.SetGCPercent(50)
		debug.SetMemoryLimit(testModeMemory)
	default:
		debug.SetGCPercent(400)
	}
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
