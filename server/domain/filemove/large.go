package filemove

import (
	"context"
	"fmt"

	"svc/store"
	"svc/store/blob"
	"svc/store/lfs"
	"svc/store/model"
)

// largeAtOnce is how many rows of Git LFS objects are read at once.
const largeAtOnce = 500

// copyLarge copies the Git LFS objects. With finish, it also records their new place and removes the old files.
func (m *Move) copyLarge(ctx context.Context, finish bool) error {
	if m.Storage != lfs.InBucket && !finish {
		return nil // the draft of an object cannot wait on a storage for the end of the move
	}
	after := ""
	for {
		rows, err := m.largeAfter(ctx, after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := m.moveLarge(ctx, row, finish); err != nil {
				return fmt.Errorf("move the LFS object %s: %w", row.Oid, err)
			}
			m.count(blob.LFS, true, row.Size)
			after = row.Oid
		}
		if len(rows) < largeAtOnce {
			return nil
		}
	}
}

// largeAfter returns the next objects that are in the source.
func (m *Move) largeAfter(ctx context.Context, after string) ([]model.LfsObject, error) {
	if m.Storage == lfs.InBucket {
		return m.Store.LfsObjects.ListOutside(ctx, lfs.InBucket, after, largeAtOnce)
	}
	return m.Store.LfsObjects.ListOn(ctx, lfs.InBucket, after, largeAtOnce)
}

// moveLarge copies an object, whose size and SHA-256 are checked, and with finish records its new place.
func (m *Move) moveLarge(ctx context.Context, row model.LfsObject, finish bool) error {
	from, err := m.LFS.Open(ctx, row.Storage, row.Oid, row.Size)
	if err != nil {
		return err
	}
	defer from.Close()
	draft, err := m.LFS.Receive(m.Storage, row.Oid, row.Size, from)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if m.Storage == lfs.InBucket {
		if err := draft.Upload(ctx); err != nil {
			return err
		}
	}
	if !finish {
		return nil
	}
	err = m.Store.LfsObjects.Relocate(ctx, row.Oid, row.Storage, m.Storage, func() error {
		_, err := draft.Store(ctx, m.Storage)
		return err
	})
	if store.IsNotFound(err) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	return m.LFS.Remove(ctx, row.Storage, row.Oid)
}
