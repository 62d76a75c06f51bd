// Package lfs stores large files (Git LFS): their bytes in the bucket or on the storages, and in the database which
// project has which file.
package lfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"svc/server/platform/apierr"
	"svc/store"
	disk "svc/store/lfs"
	"svc/store/model"
)

// Store stores large files.
type Store struct {
	store *store.Store
	files *disk.Files
	limit int64 // maximum size of one file in bytes; 0 means no limit
}

// New returns a Keeper. limit is the maximum size of a file in bytes; 0 means no limit.
func New(st *store.Store, files *disk.Files, limit int64) *Store {
	return &Store{store: st, files: files, limit: limit}
}

// Check returns what is wrong with the oid or the size of a file to be uploaded.
func (k *Store) Check(oid string, size int64) error {
	switch {
	case !disk.IsOID(oid):
		return apierr.Unprocessable("The oid must be a SHA-256 in lower case")
	case size < 0:
		return apierr.Unprocessable("The size must not be negative")
	case k.limit > 0 && size > k.limit:
		return &apierr.Error{
			Status: 413,
			Body:   apierr.Body{Message: fmt.Sprintf("The file is larger than %d MiB, the maximum size", k.limit>>20)},
		}
	}
	return nil
}

// Receive stores an uploaded file for a project. The client must send the whole content even if another project has the
// file, which proves that the client has it.
func (k *Store) Receive(ctx context.Context, p model.Project, oid string, size int64, from io.Reader) error {
	if err := k.Check(oid, size); err != nil {
		return err
	}
	target := k.files.Target(p.RepositoryStorage)
	draft, err := k.files.Receive(target, oid, size, from)
	switch {
	case errors.Is(err, disk.ErrSize):
		return apierr.Unprocessable(fmt.Sprintf("The size of the content is not %d bytes", size))
	case errors.Is(err, disk.ErrContent):
		return apierr.Unprocessable("The SHA-256 of the content is not " + oid)
	case errors.Is(err, syscall.ENOSPC):
		return &apierr.Error{Status: 507, Body: apierr.Body{Message: "There is not enough space for this file"}}
	case err != nil:
		return err
	}
	defer draft.Discard()
	// Once all bytes have arrived, a disconnect of the client no longer discards them.
	ctx = context.WithoutCancel(ctx)
	if target == disk.InBucket {
		// The upload takes long, so it happens before the transaction, which repeats it only if the object was removed
		// in between.
		if err := draft.Upload(ctx); err != nil {
			return err
		}
	}
	object := model.LfsObject{Oid: oid, Size: size, Storage: target}
	return k.store.LfsObjects.Add(ctx, p.ID, object, func(storage string) (string, error) { return draft.Store(ctx, storage) })
}

// Known returns the files among oids that a project has.
func (k *Store) Known(ctx context.Context, projectID int64, oids []string) (map[string]model.LfsObject, error) {
	return k.store.LfsObjects.ListInProject(ctx, projectID, oids)
}

// Open opens a file of a project. It returns a *store.NotFoundError if the project does not have the file.
func (k *Store) Open(ctx context.Context, projectID int64, oid string) (io.ReadSeekCloser, model.LfsObject, error) {
	object, err := k.store.LfsObjects.Get(ctx, projectID, oid)
	if err != nil {
		return nil, object, err
	}
	file, err := k.files.Open(ctx, object.Storage, oid, object.Size)
	return file, object, err
}
