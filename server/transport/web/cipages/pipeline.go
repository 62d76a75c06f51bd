package cipages

import (
	"fmt"

	"svc/server/domain/ci/status"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// pipelineView is the content of the page of a pipeline.
type pipelineView struct {
	Project       model.Project
	Pipeline      model.Pipeline
	Badge         badge
	User          *model.User
	Commit        git.Commit
	CommitPath    string
	From          string
	Coverage      string
	Tests         string // path of the test report; empty if there is none
	Variables     []model.PipelineVariable
	MoreVariables int
	Graph         graph
	Children      []childView
	Actions       []page.Button
	Took          string
	Live          bool
}

// childView is a pipeline that a bridge of this one started.
type childView struct {
	Bridge, Path string
	Badge        badge
}

// maxDrawn is the largest number of jobs that a page draws.
const maxDrawn = 200

// pipeline shows a pipeline as a graph of its stages.
// GET /{project}/-/pipelines/{id}
func (p *Pages) pipeline(v *page.Visit) error {
	found, err := p.findPipeline(v)
	if err != nil {
		return err
	}
	ctx, project := v.Request().Context(), v.Project.Project
	jobs, err := p.Store.Jobs.Newest(ctx, found.ID)
	if err != nil {
		return err
	}
	beside, err := p.Store.Pipelines.Details(ctx, found)
	if err != nil {
		return err
	}
	view := pipelineView{
		Project: project, Pipeline: found, Badge: pipelineBadge(found.Status, beside.Warned), User: beside.User,
		Commit: commitOf(found), CommitPath: commitPath(project, found.SHA), From: sourceText(found.Source),
		Coverage: percent(beside.Coverage), Graph: draw(project, jobs[:min(len(jobs), maxDrawn)], len(jobs)),
		Took: between(found.StartedAt, found.FinishedAt, v.Now()), Live: !status.Status(found.Status).IsComplete(),
	}
	if err := p.addToPipeline(v, &view, jobs); err != nil {
		return err
	}
	v.Policy += page.Fetching
	return v.Show(page.View{
		Templates: p.templates, Name: "pipeline", Title: fmt.Sprintf("Pipeline #%d", found.ID), Tab: page.TabPipelines,
		Crumbs: []page.Link{{Path: at(v, "pipelines"), Label: "Pipelines"}}, Wide: true, Data: view,
	})
}

// addToPipeline adds what only some pipelines and some visitors have: downstream pipelines, tests, variables and buttons.
func (p *Pages) addToPipeline(v *page.Visit, view *pipelineView, jobs []model.Job) error {
	ctx, found := v.Request().Context(), view.Pipeline
	var err error
	if view.Children, err = p.children(v, view.Project, found.ID, jobs); err != nil {
		return err
	}
	if view.Tests, err = p.testsPath(v, found, jobs); err != nil {
		return err
	}
	if seesVariables(v, found) {
		all, err := p.Store.Pipelines.Variables(ctx, found.ID)
		if err != nil {
			return err
		}
		view.Variables = all[:min(len(all), maxRows)]
		view.MoreVariables = len(all) - len(view.Variables)
	}
	if v.May(access.UpdatePipeline) {
		allowed, err := p.Pusher.MayRun(ctx, *v.Project, found.Ref, found.Tag)
		if err != nil {
			return err
		}
		if allowed {
			view.Actions = pipelineButtons(view.Project, found, jobs)
		}
	}
	if v.May(access.DestroyPipeline) {
		view.Actions = append(view.Actions, page.Button{
			Action: pipelinePath(view.Project, found.ID) + "/delete", Label: "Delete", Class: "danger",
			Confirm: "Delete the pipeline with its jobs, logs and artifacts",
		})
	}
	return nil
}

// seesVariables reports whether the visitor sees the variables of a pipeline: maintainers, and the user who started it.
func seesVariables(v *page.Visit, found model.Pipeline) bool {
	actor := reqctx.Of(v.Request().Context()).Actor
	own := actor != nil && found.UserID != nil && *found.UserID == actor.User.ID
	return v.May(access.ReadPipelineVariable) && (own || v.Project.Role() >= model.Maintainer)
}

// testsPath returns the path of the test report of a pipeline, or nothing if no job has a report.
func (p *Pages) testsPath(v *page.Visit, found model.Pipeline, jobs []model.Job) (string, error) {
	ids := make([]int64, len(jobs))
	for i := range jobs {
		ids[i] = jobs[i].ID
	}
	files, err := p.Store.JobArtifacts.OfJobs(v.Request().Context(), ids)
	for _, ofJob := range files {
		for _, file := range ofJob {
			if file.FileType == "junit" {
				return pipelinePath(v.Project.Project, found.ID) + "/test_report", err
			}
		}
	}
	return "", err
}

// children returns the pipelines that bridges started and that the visitor can see.
func (p *Pages) children(v *page.Visit, project model.Project, pipelineID int64, jobs []model.Job) ([]childView, error) {
	if !hasBridge(jobs) {
		return nil, nil
	}
	ctx := v.Request().Context()
	bridges, _, err := p.Store.Jobs.List(
		ctx, store.JobFilter{ProjectID: project.ID, PipelineID: pipelineID, Bridges: true}, store.Page{Limit: 100},
	)
	if err != nil {
		return nil, err
	}
	var all []childView
	sees := map[string]bool{project.FullPath: true}
	for _, b := range bridges {
		if b.Downstream == nil {
			continue
		}
		if _, known := sees[b.DownstreamPath]; !known {
			_, err := p.Access.Project(ctx, b.DownstreamPath, access.ReadPipeline)
			sees[b.DownstreamPath] = err == nil
		}
		if sees[b.DownstreamPath] {
			all = append(all, childView{
				b.Job.Name, fmt.Sprintf("/%s/-/pipelines/%d", b.DownstreamPath, b.Downstream.ID), badgeOf(b.Downstream.Status),
			})
		}
	}
	return all, nil
}

func hasBridge(jobs []model.Job) bool {
	for i := range jobs {
		if jobs[i].Bridge {
			return true
		}
	}
	return false
}

func pipelineButtons(project model.Project, pipeline model.Pipeline, jobs []model.Job) []page.Button {
	path := pipelinePath(project, pipeline.ID)
	retry, cancel := false, false
	for i := range jobs {
		s := status.Status(jobs[i].Status)
		retry = retry || s == status.Failed || s == status.Canceled
		cancel = cancel || s.IsCancelable()
	}
	var all []page.Button
	if retry {
		all = append(all, page.Button{Action: path + "/retry", Label: "Run failed jobs again"})
	}
	if cancel {
		all = append(all, page.Button{Action: path + "/cancel", Label: "Cancel", Class: "danger"})
	}
	return all
}
