package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"svc/server"
	"svc/server/cmd/svc/control"
	"svc/server/domain/fixture"
	"svc/server/domain/fixture/image"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/transport/listen"
)

// listenControl opens the listener of the control plane, in test mode. It must not be reachable from other machines, to
// whatever addresses a name leads.
func listenControl(ctx context.Context, cfg *config.Config) (net.Listener, error) {
	if !cfg.TestMode {
		return nil, nil
	}
	listener, err := listen.Port(ctx, cfg.ControlListen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; choose another address with --control-listen", cfg.ControlListen, err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); !ok || !address.IP.IsLoopback() {
		listener.Close()
		return nil, fmt.Errorf("%s is not a loopback address; choose another one with --control-listen", listener.Addr())
	}
	cfg.ControlListen = listener.Addr().String() // …:0 takes any free port
	return listener, nil
}

// serveWorlds runs svc serve --test-mode: the world main on the usual address, and the control plane.
func (u startup) serveWorlds(ctx context.Context) error {
	cfg, data, l := u.cfg, u.data, u.listeners
	ops, err := server.LoadOperations()
	if err != nil {
		return err
	}
	options := control.Options{Config: cfg, Operations: ops, Logger: u.logger, Prepared: preparedFor(cfg)}
	if data != nil && data.seed == nil {
		options.Fixtures = data.document
	}
	worlds, err := control.New(ctx, options, l.web)
	if err != nil {
		return err
	}
	defer hashInProcesses()()
	ended := make(chan error, 1)
	go func() { ended <- worlds.Serve(l.control) }()
	defer releaseWhenQuiet(u.logger)()

	main := worlds.Main().Show()
	line := readyLine{
		URL: main.URL, Username: main.Username, Password: main.Password, Token: main.Token,
		ControlURL: config.DefaultURL(cfg.ControlListen), Version: build.Read().Version, Data: cfg.Data, Users: readyUsers(main.Users),
	}
	fmt.Fprintf(os.Stderr, "svc serves %s for tests, in %s, which is deleted at the end.\n"+
		"The control plane is at %s; anybody on this machine can use it.\n", line.URL, cfg.Data, line.ControlURL)
	if err := line.write(u.out); err != nil {
		return err
	}
	u.tell(listen.Ready)
	return wait(ctx, cfg, worlds.Shutdown, func() {}, ended, os.Stderr)
}

// preparedFor returns the function that writes the data folder of the prepared seed, unless the settings choose another
// place for files or another password.
func preparedFor(cfg config.Config) func(number int, folder string) (string, error) {
	own := cfg.RootPassword != "" && cfg.RootPassword != fixture.RootPassword || cfg.SecretKey != "" && cfg.SecretKey != knownKey
	return func(number int, folder string) (string, error) {
		if own || number != preparedSeed || cfg.BlobURL != "" || len(cfg.Storages) > 0 || len(preparedImage) == 0 {
			return "", nil
		}
		prepared, err := image.Unpack(preparedImage)
		if err != nil {
			return "", fmt.Errorf("read the prepared data: %w", err)
		}
		return knownKey, prepared.Write(folder)
	}
}
