package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"svc/server/platform/config"
	"svc/server/platform/worker"
	"svc/store"
)

// checkURL makes sure that all processes of an instance have the same external URL. The first process whose settings have
// a URL stores it. On SQLite there is one process, so a changed URL is stored at its start. given says whether the
// settings have a URL; a URL that was derived from the listen address is not stored.
func checkURL(ctx context.Context, cfg config.Config, given bool, st *store.Store) error {
	return st.Exclusive(ctx, "url", func(ctx context.Context) error {
		instance, err := st.Instance.Get(ctx)
		switch {
		case err != nil || instance.URL == cfg.URL:
			return err
		case !given && (instance.URL == "" || !st.Postgres()):
			return nil
		case instance.URL == "" || !st.Postgres():
			return st.Instance.Set(ctx, map[string]any{"url": cfg.URL})
		}
		return fmt.Errorf("the URL of this instance is %s, but this process has %s. "+
			"All processes on one database need the same URL: set SVC_URL=%s. "+
			"To change the URL of the instance, stop all processes, run svc admin set-url %s, and start them with the new SVC_URL",
			instance.URL, cfg.URL, instance.URL, cfg.URL)
	})
}

// setURL runs svc admin set-url.
func setURL(ctx context.Context, c adminCall) error {
	address, err := config.BaseURL(c.name)
	if err != nil {
		return err
	}
	release, err := holdStopped(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	if err := c.store.Instance.Set(ctx, map[string]any{"url": address}); err != nil {
		return err
	}
	return c.printDone(map[string]any{"url": address},
		"The URL of this instance is now %s. Start all processes with SVC_URL=%s.", address, address)
}

// replaceHostKeys runs svc admin replace-host-keys.
func replaceHostKeys(ctx context.Context, c adminCall) error {
	release, err := holdStopped(ctx, c)
	if err != nil {
		return err
	}
	defer release()
	n, err := c.store.SSHHostKeys.Clear(ctx)
	if err != nil {
		return err
	}
	return c.printDone(map[string]any{"removed": n},
		"Removed %d host keys from the database. The next start stores those that it finds or generates.", n)
}

// holdStopped returns an error if a process serves the instance. With SQLite it also keeps one from starting until release
// is called.
func holdStopped(ctx context.Context, c adminCall) (release func(), err error) {
	if !c.store.Postgres() {
		var lock *os.File
		if lock, err = lockData(c.cfg.Data); err != nil {
			return nil, err
		}
		return func() { lock.Close() }, nil
	}
	return func() {}, refuseRunning(ctx, c.store)
}

// refuseRunning returns an error if processes serve an instance on PostgreSQL, from this machine or another. On SQLite the
// lock of the data folder shows that.
func refuseRunning(ctx context.Context, st *store.Store) error {
	alive, err := st.QueueAlive(ctx, worker.Lease)
	if err == nil && len(alive) > 0 {
		err = fmt.Errorf("%d processes serve this instance: %s. Stop them first; a killed process counts for %d more seconds",
			len(alive), strings.Join(alive, ", "), int(worker.Lease.Seconds()))
	}
	return err
}
