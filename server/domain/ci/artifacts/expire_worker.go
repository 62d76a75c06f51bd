package artifacts

import (
	"context"
	"time"
)

// Expiry is the background job that removes expired files.
type Expiry struct{}

// Kind returns the name of the background job.
func (Expiry) Kind() string { return "ci_expire_artifacts" }

const atOnce = 500

// Expire removes expired files in batches.
func (k *Keeper) Expire(ctx context.Context, _ Expiry) error {
	for {
		n, err := k.store.JobArtifacts.DeleteExpired(ctx, time.Now().UTC(), atOnce)
		if err != nil || n < atOnce {
			return err
		}
	}
}

// Removal is the background job that removes unused blobs: logs and artifacts whose rows have been deleted.
type Removal struct{}

// Kind returns the name of the background job.
func (Removal) Kind() string { return "ci_remove_blobs" }

// Remove deletes the blobs of deleted logs and artifacts, and the remains of unfinished uploads.
func (k *Keeper) Remove(ctx context.Context, _ Removal) error {
	if err := k.blobs.Tidy(time.Now().Add(-uploadTime)); err != nil {
		return err
	}
	for {
		keys, err := k.store.JobArtifacts.Removals(ctx, time.Now().UTC(), atOnce)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := k.blobs.Delete(ctx, key); err != nil {
				return err
			}
		}
		if err := k.store.JobArtifacts.Removed(ctx, keys); err != nil || len(keys) < atOnce {
			return err
		}
	}
}
