// Package lfs keeps large files: their bytes on the storages, and which project has which in the database.
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

// Keeper keeps large files.
type Keeper struct {
	store *store.Store
	files *disk.Files
	limit int64 // bytes of one file; 0 for any
}

// New needs where it is written down, the files and how large one may be.
func New(st *store.Store, files *disk.Files, limit int64) *Keeper {
	return &Keeper{store: st, files: files, limit: limit}
}

// Check tells what is wrong with the name and size of a file that is to come.
func (k *Keeper) Check(oid string, size int64) error {
	switch {
	case !disk.IsOID(oid):
		return apierr.Unprocessable("The oid must be a SHA-256 in lower case")
	case size < 0:
		return apierr.Unprocessable("The size must not be negative")
	case k.limit > 0 && size > k.limit:
		return &apierr.Error{Status: 413, Body: apierr.Body{Message: fmt.Sprintf("The file is larger than %d MiB, which is the largest size allowed", k.limit>>20)}}
	}
	return nil
}

// Receive takes a file in for a project. Who sends it must have all of it, even if it is known from elsewhere.
func (k *Keeper) Receive(ctx context.Context, p model.Project, oid string, size int64, from io.Reader) error {
	if err := k.Check(oid, size); err != nil {
		return err
	}
	draft, err := k.files.Receive(p.RepositoryStorage, oid, size, from)
	switch {
	case errors.Is(err, disk.ErrSize):
		return apierr.Unprocessable(fmt.Sprintf("The content does not have the size of %d bytes", size))
	case errors.Is(err, disk.ErrContent):
		return apierr.Unprocessable("The content does not have the SHA-256 " + oid)
	case errors.Is(err, syscall.ENOSPC):
		return &apierr.Error{Status: 507, Body: apierr.Body{Message: "There is no room left for this file"}}
	case err != nil:
		return err
	}
	defer draft.Discard()
	// Once all of it is here it is not thrown away because the caller hangs up.
	ctx = context.WithoutCancel(ctx)
	object := model.LfsObject{Oid: oid, Size: size, Storage: p.RepositoryStorage}
	return k.store.LfsObjects.Add(ctx, p.ID, object, draft.Place)
}

// Known returns those of some files that a project has.
func (k *Keeper) Known(ctx context.Context, projectID int64, oids []string) (map[string]model.LfsObject, error) {
	return k.store.LfsObjects.Among(ctx, projectID, oids)
}

// Open opens a file that a project has; else it is a *store.NotFoundError.
func (k *Keeper) Open(ctx context.Context, projectID int64, oid string) (*os.File, model.LfsObject, error) {
	object, err := k.store.LfsObjects.Get(ctx, projectID, oid)
	if err != nil {
		return nil, object, err
	}
	file, err := k.files.Read(object.Storage, oid)
	return file, object, err
}
