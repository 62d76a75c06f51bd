package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"svc/server/domain/ci/status"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// pipelineView is the content of the page of a pipeline.
type pipelineView struct {
	Project  model.Project
	Pipeline model.Pipeline
	Badge    badge
	User     *model.User
	Commit   git.Commit
	Graph    graph
	Children []childView
	Actions  []jobButton
	Took     string
	Live     bool
}

// childView is a pipeline that a bridge of this one started.
type childView struct {
	Bridge, Path string
	Badge        badge
}

// maxDrawn is the largest number of jobs that a page draws.
const maxDrawn = 2000

// pipelinePage shows a pipeline as a graph of its stages.
func (w *Web) pipelinePage(at place) Handler {
	return func(v *Visit) error {
		ctx := v.Request().Context()
		row, err := w.open(v, at.project, access.ReadPipeline)
		if row == nil {
			return err
		}
		pipeline, err := w.store.Pipelines.Get(ctx, row.Project.ID, at.id)
		if err != nil {
			return apierr.OrNotFound(err, "")
		}
		jobs, err := w.store.Jobs.Newest(ctx, pipeline.ID)
		if err != nil {
			return err
		}
		view := pipelineView{
			Project: row.Project, Pipeline: pipeline, Badge: badgeOf(pipeline.Status),
			Graph: draw(row.Project, jobs[:min(len(jobs), maxDrawn)]),
			Took:  between(pipeline.StartedAt, pipeline.FinishedAt, v.now()), Live: !status.Status(pipeline.Status).IsComplete(),
		}
		_ = json.Unmarshal([]byte(pipeline.CommitData), &view.Commit) // the service wrote it, so it can be read
		if pipeline.UserID != nil {
			if user, err := w.store.Users.Get(ctx, *pipeline.UserID); err == nil {
				view.User = &user
			}
		}
		if view.Children, err = w.children(v, row.Project, pipeline.ID); err != nil {
			return err
		}
		if row.Role() >= model.Developer && !row.Project.Archived {
			if allowed, err := w.pusher.MayRun(ctx, *row, pipeline.Ref, pipeline.Tag); err == nil && allowed {
				view.Actions = pipelineButtons(row.Project, pipeline, jobs)
			}
		}
		v.policy += fetching
		return v.Show(http.StatusOK, "pipeline", fmt.Sprintf("Pipeline #%d", pipeline.ID), view)
	}
}

// children returns the pipelines that bridges started and that the visitor can see.
func (w *Web) children(v *Visit, project model.Project, pipelineID int64) ([]childView, error) {
	ctx := v.Request().Context()
	bridges, _, err := w.store.Jobs.List(
		ctx, store.JobFilter{ProjectID: project.ID, PipelineID: pipelineID, Bridges: true}, store.Page{Limit: 100},
	)
	if err != nil {
		return nil, err
	}
	var all []childView
	for _, b := range bridges {
		if b.Downstream == nil {
			continue
		}
		if b.Downstream.ProjectID != project.ID {
			if _, err := w.access.Project(ctx, b.DownstreamPath, access.ReadPipeline); err != nil {
				continue
			}
		}
		all = append(all, childView{
			b.Job.Name, fmt.Sprintf("/%s/-/pipelines/%d", b.DownstreamPath, b.Downstream.ID), badgeOf(b.Downstream.Status),
		})
	}
	return all, nil
}

func pipelineButtons(project model.Project, pipeline model.Pipeline, jobs []model.Job) []jobButton {
	path := pipelinePath(project, pipeline.ID)
	retry, cancel := false, false
	for i := range jobs {
		s := status.Status(jobs[i].Status)
		retry = retry || s == status.Failed || s == status.Canceled
		cancel = cancel || s.IsCancelable()
	}
	var all []jobButton
	if retry {
		all = append(all, jobButton{path + "/retry", "Run failed jobs again", "", ""})
	}
	if cancel {
		all = append(all, jobButton{path + "/cancel", "Cancel", "danger", ""})
	}
	return all
}
