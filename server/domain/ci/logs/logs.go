// Package logs stores the logs of jobs. The length of a log is stored in the row of its job, and is written after the
// bytes are on disk. So acknowledged bytes are never lost, and the runner sends other bytes again.
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

// ErrTooLong means that the log would exceed its size limit.
var ErrTooLong = errors.New("the log is too long")

// GapError means that the bytes do not start where the log ends. Size is the current length of the log.
type GapError struct{ Size int64 }

func (e *GapError) Error() string { return fmt.Sprintf("the log has %d bytes", e.Size) }

// Logs stores and reads the logs of jobs.
type Logs struct {
	store *store.Store
	blobs blob.Store
	limit int64
}

// New returns a Logs that refuses logs longer than limit bytes.
func New(st *store.Store, blobs blob.Store, limit int64) *Logs {
	return &Logs{store: st, blobs: blobs, limit: limit}
}

// Append adds bytes to the log of a running job. If offset is not the end of the log, Append returns a *GapError. The
// caller passes the job as it was read for this request, and gets it back in its current state. Debug means that the
// log may contain secrets.
func (l *Logs) Append(ctx context.Context, job model.Job, offset int64, p []byte, debug bool) (model.Job, error) {
	if offset != job.LogSize {
		return job, &GapError{Size: job.LogSize}
	}
	if offset+int64(len(p)) > l.limit {
		return job, ErrTooLong
	}
	// Keep received bytes even if the runner disconnects: it would only send them again.
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

// Open reads up to length bytes of a log from an offset, but only acknowledged bytes. It also returns the number of
// bytes to read.
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

// Erase removes the log of a job. The log is empty at once; a background job deletes the bytes later.
func (l *Logs) Erase(ctx context.Context, jobID int64) error {
	return l.store.Jobs.EraseLog(ctx, jobID, blob.LogKey(jobID))
}

// EraseAll removes the log and artifacts of a finished job. It returns false if the job is not finished or has neither.
func (l *Logs) EraseAll(ctx context.Context, jobID int64) (bool, error) {
	return l.store.Jobs.Erase(ctx, jobID, blob.LogKey(jobID))
}
