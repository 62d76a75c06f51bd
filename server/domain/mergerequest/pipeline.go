package mergerequest

import (
	"context"
	"errors"

	"svc/server/domain/ci/launch"
	"svc/store/git"
	"svc/store/model"
)

// pipelineAfter starts the pipeline for a push or a new merge request, if the CI file has jobs for merge requests. It
// runs in the source project.
func (m *Merger) pipelineAfter(ctx context.Context, mr model.MergeRequest, userID int64, origin string) error {
	if mr.SourceProjectID == nil || mr.State != model.Opened {
		return nil
	}
	user, row, ok, err := m.readAs(ctx, userID, *mr.SourceProjectID)
	if err != nil || !ok {
		return err
	}
	pipeline := launch.MergeRequestPipeline{Request: mr, User: user, Project: row, Origin: origin}
	_, err = m.Launch.LaunchMergeRequest(ctx, pipeline)
	var no *launch.RefusedError
	if errors.As(err, &no) {
		return nil
	}
	return err
}

// Pipeline starts a pipeline that a user requests. It runs in the source project if the user may run pipelines there.
// For a fork, it otherwise runs in the target project, if that project allows it.
func (m *Merger) Pipeline(
	ctx context.Context, target model.ProjectRow, user model.User, mr model.MergeRequest,
) (model.Pipeline, model.Project, error) {
	where := target
	if mr.SourceProjectID != nil && *mr.SourceProjectID != target.Project.ID {
		_, source, ok, err := m.readAs(ctx, user.ID, *mr.SourceProjectID)
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
	// Compare makes the head fetchable for the runner.
	if _, err := m.Compare(ctx, target.Project, mr); err != nil && !errors.Is(err, git.ErrNotFound) {
		return model.Pipeline{}, where.Project, err
	}
	p, err := m.Launch.LaunchMergeRequest(ctx, launch.MergeRequestPipeline{Request: mr, User: user, Project: where})
	return p, where.Project, err
}

// ScheduleRefresh schedules what follows when a merge request is created or reopened.
func (m *Merger) ScheduleRefresh(ctx context.Context, mr model.MergeRequest, userID int64) error {
	return m.Enqueue(ctx, Refresh{ID: mr.ID, UserID: userID, Batch: "open"})
}

// DeleteRefJob is the job that deletes the ref of a deleted merge request.
type DeleteRefJob struct {
	ProjectID int64 `json:"project_id"`
	IID       int64 `json:"iid"`
}

// Kind returns the name of the job in the queue.
func (DeleteRefJob) Kind() string { return "merge_request_withdraw" }

// DeleteRef deletes the ref of a deleted merge request.
func (m *Merger) DeleteRef(ctx context.Context, job DeleteRefJob) error {
	row, err := m.Store.Projects.Get(ctx, job.ProjectID, "", serviceReader)
	if err != nil {
		return ignoreNotFound(err)
	}
	repo, err := m.Pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	return repo.DeleteMergeRequestRef(ctx, job.IID)
}
