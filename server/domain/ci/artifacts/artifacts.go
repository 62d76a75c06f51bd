// Package artifacts stores the files that jobs upload: archives and reports.
//
//	artifacts.go      upload, read and delete the files of a job
//	access.go         which callers may read the archive of a job
//	archive.go        open an archive with all its files
//	entry.go          read one file from inside an archive
//	directory.go      search the directory of a zip file without loading it into memory
//	expire_worker.go  background jobs that remove expired files and unused blobs
//	empty_worker.go   background job that removes the files of a project
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
	"svc/store/clock"
	"svc/store/model"
)

var (
	// ErrTooLarge means that an uploaded file exceeds the size limit.
	ErrTooLarge = errors.New("the file is too large")
	// ErrTaken means that the job already has a different file of this type.
	ErrTaken = errors.New("the job already has a file of this type")
)

// Service stores and reads the files of jobs.
type Service struct {
	store *store.Store
	blobs blob.Store
}

// New returns a Service. The settings limit the size of files.
func New(st *store.Store, blobs blob.Store) *Service {
	return &Service{store: st, blobs: blobs}
}

// Upload describes a file that a job uploads.
type Upload struct {
	FileType   string
	FileFormat string
	Filename   string
	ExpireAt   *time.Time
}

// uploadTime is the longest time that an upload may take. After that, the bytes of an unfinished upload are removed.
const uploadTime = 24 * time.Hour

// Put stores a file. Uploading the same bytes twice is not an error, because the runner may have lost the first answer.
func (k *Service) Put(ctx context.Context, job model.Job, u Upload, from io.Reader) (model.JobArtifact, error) {
	a := model.JobArtifact{
		ProjectID: job.ProjectID, JobID: job.ID, FileType: u.FileType, FileFormat: u.FileFormat, Filename: u.Filename, ExpireAt: u.ExpireAt,
		Key: blob.ArtifactKey(),
	}
	if err := k.store.JobArtifacts.ScheduleRemoval(ctx, a.Key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return a, err
	}
	sum := sha256.New()
	var err error
	if a.Size, err = k.blobs.Put(ctx, a.Key, io.TeeReader(k.limited(from), sum)); err != nil {
		return a, err
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	// All bytes are stored now, so keep them even if the runner disconnects.
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

// limited wraps a reader so that it fails after the largest size of the settings.
func (k *Service) limited(from io.Reader) io.Reader {
	limit := k.store.Settings.Current().MaxArtifactsSize << 20
	if limit == 0 {
		return from
	}
	return blob.LimitReader(from, limit, ErrTooLarge)
}

// Open reads length bytes of a file, starting at offset.
func (k *Service) Open(ctx context.Context, a model.JobArtifact, offset, length int64) (io.ReadCloser, error) {
	from, err := k.blobs.Read(ctx, a.Key, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read artifact %d: %w", a.ID, err)
	}
	return from, nil
}

// Get returns the file of the given type that belongs to a job, or a *store.NotFoundError.
func (k *Service) Get(ctx context.Context, jobID int64, fileType string) (model.JobArtifact, error) {
	return k.store.JobArtifacts.Get(ctx, jobID, fileType)
}

// Delete removes all files of a job.
func (k *Service) Delete(ctx context.Context, jobID int64) error {
	return k.store.JobArtifacts.DeleteOfJob(ctx, jobID)
}
