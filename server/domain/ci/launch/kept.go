package launch

import (
	"context"

	"svc/store"
)

// Kept is a pipeline that has come or gone: its commit stays fetchable as long as it is there.
type Kept struct {
	ProjectID  int64 `json:"project_id"`
	PipelineID int64 `json:"pipeline_id"`
}

// Kind names the job in the queue.
func (Kept) Kind() string { return "ci_kept" }

// Kept keeps the commit of a pipeline, or lets go of it.
func (l *Launcher) Kept(ctx context.Context, k Kept) error {
	project, err := l.Store.Projects.Get(ctx, k.ProjectID, "", &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return nil // with its repository
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
		return repo.LetGo(ctx, k.PipelineID)
	case err != nil:
		return err
	}
	return repo.Keep(ctx, k.PipelineID, p.SHA)
}

// LetGo has the commit of a pipeline forgotten that is removed in the same transaction.
func (l *Launcher) LetGo(ctx context.Context, projectID, pipelineID int64) error {
	return l.soon(ctx, Kept{ProjectID: projectID, PipelineID: pipelineID})
}
