package artifacts

import (
	"context"
	"time"
)

// Expiry is the job that removes files whose time is over.
type Expiry struct{}

// Kind names the job in the queue.
func (Expiry) Kind() string { return "ci_expire_artifacts" }

const atOnce = 500

// Expire removes files whose time is over.
func (k *Keeper) Expire(ctx context.Context, _ Expiry) error {
	for {
		n, err := k.store.JobArtifacts.DeleteExpired(ctx, time.Now().UTC(), atOnce)
		if err != nil || n < atOnce {
			return err
		}
	}
}

// Removal is the job that removes bytes that nobody needs any more: of logs and artifacts whose rows are gone.
type Removal struct{}

// Kind names the job in the queue.
func (Removal) Kind() string { return "ci_remove_blobs" }

// Remove removes bytes that nobody needs any more.
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
