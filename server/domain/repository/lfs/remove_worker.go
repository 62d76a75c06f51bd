package lfs

import (
	"context"
	"errors"
	"time"
)

// Removal is the job that removes files that no project has any more.
type Removal struct{}

// Kind returns the name of the job in the queue.
func (Removal) Kind() string { return "remove_lfs_objects" }

const (
	atOnce = 500
	// leftAfter is the minimum age of files without a row before they are removed. No upload takes that long between
	// its last byte and its row.
	leftAfter = 24 * time.Hour
)

// Remove removes files that no project has any more.
func (k *Store) Remove(ctx context.Context, _ Removal) error {
	for {
		rows, err := k.store.LfsObjects.Unused(ctx, atOnce)
		if err != nil {
			return err
		}
		var errs []error
		for _, row := range rows {
			remove := func() error { return k.files.Remove(ctx, row.Storage, row.Oid) }
			errs = append(errs, k.store.LfsObjects.Remove(ctx, row.Oid, remove))
		}
		if err := errors.Join(errs...); err != nil || len(rows) < atOnce {
			return err
		}
	}
}

// Sweep is the job that removes files that killed processes have left on the storages.
type Sweep struct{}

// Kind returns the name of the job in the queue.
func (Sweep) Kind() string { return "sweep_lfs_objects" }

// Sweep removes abandoned drafts, and files that have no row.
func (k *Store) Sweep(ctx context.Context, _ Sweep) error {
	return k.sweep(ctx, time.Now().Add(-leftAfter))
}

func (k *Store) sweep(ctx context.Context, before time.Time) error {
	var errs []error
	for _, storage := range k.files.Storages() {
		errs = append(errs, k.files.Tidy(storage, before), k.files.EachOlder(ctx, storage, before, func(oids []string) error {
			return k.removeUnknown(ctx, storage, oids)
		}))
	}
	return errors.Join(errs...)
}

func (k *Store) removeUnknown(ctx context.Context, storage string, oids []string) error {
	for len(oids) > 0 {
		some := oids[:min(len(oids), atOnce)]
		oids = oids[len(some):]
		unknown, err := k.store.LfsObjects.WithoutRow(ctx, storage, some)
		if err != nil {
			return err
		}
		for _, oid := range unknown {
			remove := func() error { return k.files.Remove(ctx, storage, oid) }
			if err := k.store.LfsObjects.RemoveWithoutRow(ctx, oid, storage, remove); err != nil {
				return err
			}
		}
	}
	return nil
}
