package artifacts

import (
	"context"
	"time"
)

// Emptying is the job that removes the files of all jobs of a project that were there when it was asked for.
type Emptying struct {
	ProjectID int64     `json:"project_id"`
	Before    time.Time `json:"before"`
}

// Kind names the job in the queue.
func (Emptying) Kind() string { return "ci_empty_artifacts" }

// Empty removes the files of a project, some at a time.
func (k *Keeper) Empty(ctx context.Context, job Emptying) error {
	for {
		n, err := k.store.JobArtifacts.DeleteOfProject(ctx, job.ProjectID, job.Before, atOnce)
		if err != nil || n < atOnce {
			return err
		}
	}
}
