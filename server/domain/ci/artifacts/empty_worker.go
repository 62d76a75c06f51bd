package artifacts

import (
	"context"
	"time"
)

// EmptyJob is the background job that removes the artifacts that a project had when the job was created.
type EmptyJob struct {
	ProjectID int64     `json:"project_id"`
	Before    time.Time `json:"before"`
}

// Kind returns the name of the background job.
func (EmptyJob) Kind() string { return "ci_empty_artifacts" }

// Empty removes the artifacts of a project in batches.
func (k *Service) Empty(ctx context.Context, job EmptyJob) error {
	for {
		n, err := k.store.JobArtifacts.DeleteOfProject(ctx, job.ProjectID, job.Before, batchSize)
		if err != nil || n < batchSize {
			return err
		}
	}
}
