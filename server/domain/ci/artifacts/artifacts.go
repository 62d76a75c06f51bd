// Package artifacts keeps the files of jobs: their archives and reports.
//
//	artifacts.go      files come and are read
//	entry.go          one file from inside an archive
//	directory.go      the directory of an archive, however long
//	expire_worker.go  files whose time is over, and bytes that nobody needs
package artifacts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

var (
	// ErrTooLarge is a file that is larger than it may be.
	ErrTooLarge = errors.New("the file is too large")
	// ErrTaken says that the job has another file of this type already.
	ErrTaken = errors.New("the job has another file of this type")
)

// Keeper keeps the files of jobs.
type Keeper struct {
	store *store.Store
	blobs blob.Store
	limit int64
}

// New needs where it is written down, the files, and how many bytes one may have; 0 for any.
func New(st *store.Store, blobs blob.Store, limit int64) *Keeper {
	return &Keeper{store: st, blobs: blobs, limit: limit}
}

// Upload is what is said of a file that comes.
type Upload struct {
	FileType   string
	FileFormat string
	Filename   string
	ExpireAt   *time.Time
}

// uploadTime is how long an upload may take until what came of it counts as left behind.
const uploadTime = 24 * time.Hour

// Put takes a file in. The same file once more is no failure, for the answer to the first may have been lost.
func (k *Keeper) Put(ctx context.Context, job model.Job, u Upload, from io.Reader) (model.JobArtifact, error) {
	a := model.JobArtifact{
		ProjectID: job.ProjectID, JobID: job.ID, FileType: u.FileType, FileFormat: u.FileFormat, Filename: u.Filename, ExpireAt: u.ExpireAt,
		Key: blob.ArtifactKey(),
	}
	if err := k.store.JobArtifacts.Announce(ctx, a.Key, time.Now().UTC().Add(uploadTime)); err != nil {
		return a, err
	}
	sum := sha256.New()
	var err error
	if a.Size, err = k.blobs.Put(ctx, a.Key, io.TeeReader(k.limited(from), sum)); err != nil {
		return a, err
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	// Once all of it is here it is not thrown away because the runner hangs up.
	ctx = context.WithoutCancel(ctx)
	err = k.store.JobArtifacts.Create(ctx, &a)
	var taken *store.ConflictError
	if !errors.As(err, &taken) {
		return a, err
	}
	known, err := k.store.JobArtifacts.Get(ctx, job.ID, u.FileType)
	if err == nil && known.SHA256 != a.SHA256 {
		err = ErrTaken
	}
	return known, err
}

// limited fails once more bytes come than are allowed.
func (k *Keeper) limited(from io.Reader) io.Reader {
	if k.limit == 0 {
		return from
	}
	return &limited{from: from, left: k.limit}
}

type limited struct {
	from io.Reader
	left int64
}

// Read reads on.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

// Open reads a part of a file.
func (k *Keeper) Open(ctx context.Context, a model.JobArtifact, offset, length int64) (io.ReadCloser, error) {
	from, err := k.blobs.Read(ctx, a.Key, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read artifact %d: %w", a.ID, err)
	}
	return from, nil
}

// Get returns the file of a type that a job keeps; none is a *store.NotFoundError.
func (k *Keeper) Get(ctx context.Context, jobID int64, fileType string) (model.JobArtifact, error) {
	return k.store.JobArtifacts.Get(ctx, jobID, fileType)
}

// Delete removes all files of a job.
func (k *Keeper) Delete(ctx context.Context, jobID int64) error {
	return k.store.JobArtifacts.DeleteOfJob(ctx, jobID)
}

// Opens tells whether a role in the project suffices for artifacts with that access.
func Opens(access string, role model.Access) bool {
	switch access {
	case "none":
		return false
	case "maintainer":
		return role >= model.Maintainer
	case "developer":
		return role >= model.Developer
	}
	return true
}
