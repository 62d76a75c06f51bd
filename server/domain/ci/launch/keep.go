package launch

import (
	"context"
	"time"

	"svc/store"
	"svc/store/model"
)

// KeepCommit is the background job that keeps the commit of a pipeline fetchable while the pipeline exists.
type KeepCommit struct {
	ProjectID  int64 `json:"project_id"`
	PipelineID int64 `json:"pipeline_id"`
}

// Kind returns the name of the background job.
func (KeepCommit) Kind() string { return "ci_kept" }

// KeepCommit keeps the commit of a pipeline, or releases it if the pipeline was deleted.
func (l *Launcher) KeepCommit(ctx context.Context, k KeepCommit) error {
	project, err := l.Store.Projects.Get(ctx, k.ProjectID, "", &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return nil // the repository was deleted with the project
	}
	if err != nil {
		return err
	}
	repo, err := l.repo(project.Project)
	if err != nil {
		return err
	}
	p, err := l.Store.Pipelines.Find(ctx, k.PipelineID)
	switch {
	case store.IsNotFound(err):
		return repo.DeletePipelineRefs(ctx, k.PipelineID)
	case err != nil:
		return err
	}
	return repo.KeepPipelineCommit(ctx, k.PipelineID, p.SHA)
}

// Delete deletes a pipeline and releases its commit. If unmodifiedSince is not nil, a pipeline that was changed after
// that time is refused.
func (l *Launcher) Delete(ctx context.Context, p model.Pipeline, unmodifiedSince *time.Time) error {
	return l.Store.Tx(ctx, func(ctx context.Context) error {
		if err := l.Store.Pipelines.Delete(ctx, p, unmodifiedSince); err != nil {
			return err
		}
		return l.enqueue(ctx, KeepCommit{ProjectID: p.ProjectID, PipelineID: p.ID})
	})
}
