package artifacts

import (
	"context"
	"time"
)

// Emptying is the background job that removes the artifacts that a project had when the job was created.
type Emptying struct {
	ProjectID int64     `json:"project_id"`
	Before    time.Time `json:"before"`
}

// Kind returns the name of the background job.
func (Emptying) Kind() string { return "ci_empty_artifacts" }

// Empty removes the artifacts of a project in batches.
func (k *Keeper) Empty(ctx context.Context, job Emptying) error {
	for {
		n, err := k.store.JobArtifacts.DeleteOfProject(ctx, job.ProjectID, job.Before, atOnce)
		if err != nil || n < atOnce {
			return err
		}
	}
}
