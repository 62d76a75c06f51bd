package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"svc/server/platform/config"
	"svc/server/transport/listen"
)

// catchReload returns the signals that ask the service to read its settings again. They must not end a service that is
// still starting. An ephemeral instance ends with its terminal instead.
func catchReload(cfg config.Config) <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	if !cfg.Ephemeral {
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals
}

// reloader reads the settings and the certificates again.
type reloader struct {
	signals <-chan os.Signal
	args    []string
	loaded  config.Config // the settings in force, as they were read
	running config.Config // the same with the addresses and the folder that were really taken
	lines   *logWriter
	logger  *slog.Logger
}

// run reloads at each signal, until the context ends. apply puts settings into force, and tell tells the service manager
// the state of the service.
func (r *reloader) run(ctx context.Context, apply func(config.Config) error, tell func(state string)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.signals:
		}
		tell(listen.Reloading)
		r.reload(apply)
		tell(listen.Ready)
	}
}

// reload reads everything again. If anything is wrong, the old settings and certificates stay in force.
func (r *reloader) reload(apply func(config.Config) error) {
	next, err := config.Load(r.args, os.Environ())
	if err != nil {
		r.logger.Error("cannot reload the settings; the old ones stay in force", "error", err)
		return
	}
	loaded, changed, restart := r.loaded.Reload(next)
	running, _, _ := r.running.Reload(loaded)
	if err := apply(running); err != nil {
		r.logger.Error("cannot reload the settings; the old ones stay in force", "error", err)
		return
	}
	r.loaded, r.running = loaded, running
	r.lines.setLevel(running)
	// A warning, so that it is seen at every level but error: somebody has asked for the change.
	r.logger.Warn("reloaded the settings", "changed", names(changed), "needs_restart", names(restart))
	r.lines.Flush()
}

// names lists keys for the log.
func names(keys []string) string {
	if len(keys) == 0 {
		return "nothing"
	}
	return strings.Join(keys, " ")
}
