package mergerequest

import (
	"context"
	"errors"

	"svc/server/domain/ci/launch"
	"svc/store/git"
	"svc/store/model"
)

// pipelineAfter makes the pipeline that a push, or a new merge request, brings, if the CI file has one for merge requests. It
// runs where the source branch is.
func (m *Merger) pipelineAfter(ctx context.Context, mr model.MergeRequest, userID int64, origin string) error {
	if mr.SourceProjectID == nil || mr.State != model.Opened {
		return nil
	}
	user, row, ok, err := m.as(ctx, userID, *mr.SourceProjectID)
	if err != nil || !ok {
		return err
	}
	_, err = m.Launch.Merge(ctx, launch.Merge{Request: mr, User: user, Project: row, Origin: origin})
	var no *launch.RefusedError
	if errors.As(err, &no) {
		return nil
	}
	return err
}

// Pipeline makes a pipeline that somebody asks for: in the source project if they may run pipelines there, else, for a fork,
// in the project that it is to be merged into, if that lets them.
func (m *Merger) Pipeline(ctx context.Context, target model.ProjectRow, user model.User, mr model.MergeRequest) (model.Pipeline, model.Project, error) {
	where := target
	if mr.SourceProjectID != nil && *mr.SourceProjectID != target.Project.ID {
		_, source, ok, err := m.as(ctx, user.ID, *mr.SourceProjectID)
		if err != nil {
			return model.Pipeline{}, where.Project, err
		}
		switch {
		case ok && source.Role() >= model.Developer:
			where = source
		case !target.Project.CiAllowForkPipelinesToRunInParentProject || target.Role() < model.Developer:
			return model.Pipeline{}, where.Project, refuse(NotAllowed, "403 Forbidden")
		}
	}
	if where.Role() < model.Developer {
		return model.Pipeline{}, where.Project, refuse(NotAllowed, "403 Forbidden")
	}
	if _, err := m.Span(ctx, target.Project, mr); err != nil && !errors.Is(err, git.ErrNotFound) { // so that it can be fetched
		return model.Pipeline{}, where.Project, err
	}
	p, err := m.Launch.Merge(ctx, launch.Merge{Request: mr, User: user, Project: where})
	return p, where.Project, err
}

// Opened does what follows from a new merge request, or one that was opened again.
func (m *Merger) Opened(ctx context.Context, mr model.MergeRequest, userID int64) error {
	return m.Soon(ctx, Refresh{ID: mr.ID, UserID: userID, Batch: "open"})
}

// Withdraw is a merge request that was deleted: its ref goes, too.
type Withdraw struct {
	ProjectID int64 `json:"project_id"`
	IID       int64 `json:"iid"`
}

// Kind names the job in the queue.
func (Withdraw) Kind() string { return "merge_request_withdraw" }

// Withdraw removes the ref of a merge request that was deleted.
func (m *Merger) Withdraw(ctx context.Context, job Withdraw) error {
	row, err := m.Store.Projects.Get(ctx, job.ProjectID, "", anybody)
	if err != nil {
		return gone(err)
	}
	repo, err := m.Pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	return repo.Withdraw(ctx, job.IID)
}
