package artifacts

import (
	"context"
	"time"

	"svc/store/clock"
)

// ExpireJob is the background job that removes expired files.
type ExpireJob struct{}

// Kind returns the name of the background job.
func (ExpireJob) Kind() string { return "ci_expire_artifacts" }

const batchSize = 500

// Expire removes expired files in batches.
func (k *Service) Expire(ctx context.Context, _ ExpireJob) error {
	for {
		n, err := k.store.JobArtifacts.DeleteExpired(ctx, clock.Now(ctx).UTC(), batchSize)
		if err != nil || n < batchSize {
			return err
		}
	}
}

// RemoveBlobsJob is the background job that removes unused blobs: logs and artifacts whose rows have been deleted.
type RemoveBlobsJob struct{}

// Kind returns the name of the background job.
func (RemoveBlobsJob) Kind() string { return "ci_remove_blobs" }

// RemoveBlobs deletes the blobs of deleted logs and artifacts, and the remains of unfinished uploads.
func (k *Service) RemoveBlobs(ctx context.Context, _ RemoveBlobsJob) error {
	if err := k.blobs.Tidy(time.Now().Add(-uploadTime)); err != nil {
		return err
	}
	for {
		keys, err := k.store.JobArtifacts.ListRemovals(ctx, clock.Now(ctx).UTC(), batchSize)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := k.blobs.Delete(ctx, key); err != nil {
				return err
			}
		}
		if err := k.store.JobArtifacts.ClearRemovals(ctx, keys); err != nil || len(keys) < batchSize {
			return err
		}
	}
}
