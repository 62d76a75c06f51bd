package control

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"svc/server"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/clock"
)

// closeTime is how long the requests and jobs of an instance may take to end when it is closed.
const closeTime = 2 * time.Second

// instance is the open database and the running service of a world. A world has one while it is awake.
type instance struct {
	store   *store.Store
	server  *server.Server
	folder  string
	users   int  // requests that are running; the world's lock protects it
	retired bool // a reset has replaced it: it is closed after the last request
}

// openStore opens the database of a folder.
func openStore(ctx context.Context, cfg config.Config, time *clock.Clock) (*store.Store, error) {
	return store.Open(ctx, store.Options{SQLitePath: filepath.Join(cfg.Data, "svc.db"), SmallCache: true, Clock: time})
}

// openInstance opens the database of a folder and starts the service on it.
func openInstance(w *World, folder string) (*instance, error) {
	cfg := w.config(folder)
	ctx := store.Background(context.Background())
	st, err := openStore(ctx, cfg, w.clock)
	if err != nil {
		return nil, err
	}
	s, err := server.NewForTests(cfg, st, w.control.Operations, w.control.Logger, w.testing())
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &instance{store: st, server: s, folder: folder}, nil
}

// close stops the service and closes the database. The folder stays.
func (i *instance) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return errors.Join(i.server.Shutdown(ctx), i.store.Close())
}

// discard closes an instance and deletes its folder.
func (i *instance) discard() error {
	return errors.Join(i.close(), os.RemoveAll(i.folder))
}
