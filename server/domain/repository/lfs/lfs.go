// Package lfs stores large files (Git LFS): their bytes on the storages, and in the database which project has which
// file.
package lfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
	draft, err := k.files.Receive(p.RepositoryStorage, oid, size, from)
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
	object := model.LfsObject{Oid: oid, Size: size, Storage: p.RepositoryStorage}
	return k.store.LfsObjects.Add(ctx, p.ID, object, draft.Store)
}

// Known returns the files among oids that a project has.
func (k *Store) Known(ctx context.Context, projectID int64, oids []string) (map[string]model.LfsObject, error) {
	return k.store.LfsObjects.ListInProject(ctx, projectID, oids)
}

// Open opens a file of a project. It returns a *store.NotFoundError if the project does not have the file.
func (k *Store) Open(ctx context.Context, projectID int64, oid string) (*os.File, model.LfsObject, error) {
	object, err := k.store.LfsObjects.Get(ctx, projectID, oid)
	if err != nil {
		return nil, object, err
	}
	file, err := k.files.Read(object.Storage, oid)
	return file, object, err
}
