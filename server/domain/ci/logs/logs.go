// Package logs keeps the logs of jobs. How long a log is stands in the row of its job, and is written after the bytes are on disk:
// what was acknowledged survives, and what was not is written again.
package logs

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

// ErrTooLong is a log that would become longer than it may.
var ErrTooLong = errors.New("the log is too long")

// GapError is bytes that do not begin where the log ends.
type GapError struct{ Size int64 }

func (e *GapError) Error() string { return fmt.Sprintf("the log has %d bytes", e.Size) }

// Logs are the logs of all jobs.
type Logs struct {
	store *store.Store
	blobs blob.Store
	limit int64
}

// New needs where it is written down, the files, and how many bytes a log may have.
func New(st *store.Store, blobs blob.Store, limit int64) *Logs {
	return &Logs{store: st, blobs: blobs, limit: limit}
}

// Append adds bytes to the log of a job that runs, at an offset that must be its end, else it is a *GapError. The job is as it was
// read when the call came; it is returned as it is now. Debug says that the log may hold secrets.
func (l *Logs) Append(ctx context.Context, job model.Job, offset int64, p []byte, debug bool) (model.Job, error) {
	if offset != job.LogSize {
		return job, &GapError{Size: job.LogSize}
	}
	if offset+int64(len(p)) > l.limit {
		return job, ErrTooLong
	}
	// Bytes that have come are kept even if the runner hangs up: it would only send them again.
	ctx = context.WithoutCancel(ctx)
	if len(p) > 0 {
		if err := l.blobs.Append(ctx, blob.LogKey(job.ID), offset, p); err != nil {
			return job, fmt.Errorf("append to the log of job %d: %w", job.ID, err)
		}
	}
	end := store.LogEnd{Size: offset + int64(len(p)), Sum: crc32.Update(uint32(job.LogSum), crc32.IEEETable, p)}
	status, appended, err := l.store.Jobs.AppendLog(ctx, job.ID, offset, end, debug)
	if err != nil {
		return job, err
	}
	if !appended {
		if job, err = l.store.Jobs.Find(ctx, job.ID); err != nil {
			return job, err
		}
		return job, &GapError{Size: job.LogSize}
	}
	job.Status, job.LogSize, job.LogSum = status, end.Size, int64(end.Sum)
	return job, nil
}

// Open reads the log of a job from an offset on, at most length bytes, but never more than are acknowledged. The number of
// bytes comes back, too.
func (l *Logs) Open(ctx context.Context, job model.Job, offset, length int64) (io.ReadCloser, int64, error) {
	length = min(length, job.LogSize-offset)
	if length <= 0 {
		return io.NopCloser(strings.NewReader("")), 0, nil
	}
	from, err := l.blobs.ReadAppended(ctx, blob.LogKey(job.ID), offset, length)
	if err != nil {
		return nil, 0, fmt.Errorf("read the log of job %d: %w", job.ID, err)
	}
	return from, length, nil
}

// Erase removes the log of a job: it is empty at once, and its bytes are gone soon.
func (l *Logs) Erase(ctx context.Context, jobID int64) error {
	return l.store.Jobs.EraseLog(ctx, jobID, blob.LogKey(jobID))
}

// EraseAll removes the log and the files of a job that is done; false if it is not, or has none.
func (l *Logs) EraseAll(ctx context.Context, jobID int64) (bool, error) {
	return l.store.Jobs.Erase(ctx, jobID, blob.LogKey(jobID))
}
