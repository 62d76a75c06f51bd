package cipages

import (
	"fmt"

	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

// jobView is the content of the page of a job.
type jobView struct {
	Job        model.Job
	Row        model.JobRow
	Badge      badge
	Commit     git.Commit
	CommitPath string
	Tags       []string
	Log        logView
	Live       bool // more may come
	Actions    []page.Button
	Raw        string
	Path       string
	Pipeline   string
	Took       string
	Waited     string
	Waiting    string // why the job does not run yet
	Failure    string // why the job failed
	Coverage   string
	Artifacts  *artifactsView
}

// artifactsView is what the page of a job says about its artifacts.
type artifactsView struct {
	Browse, Download string // empty if there is no archive that the visitor may read
	Size             int64
	Reports          []model.JobArtifact
	Actions          []page.Button
}

// findJob returns the job of the address with what is shown with it.
func (p *Pages) findJob(v *page.Visit) (model.JobRow, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.JobRow{}, err
	}
	row, err := p.Store.Jobs.GetRow(v.Request().Context(), id)
	if err = apierr.OrNotFound(err, ""); err == nil && (row.Job.ProjectID != v.Project.Project.ID || row.Job.Bridge) {
		err = page.NotFound()
	}
	return row, err
}

// job shows a job and its log.
// GET /{project}/-/jobs/{id}
func (p *Pages) job(v *page.Visit) error {
	row, err := p.findJob(v)
	if err != nil {
		return err
	}
	ctx, project, job := v.Request().Context(), v.Project.Project, row.Job
	view := jobView{
		Job: job, Row: row, Badge: jobBadge(job), Commit: commitOf(row.Pipeline), CommitPath: commitPath(project, row.Pipeline.SHA),
		Tags: list(job.Tags), Live: !status.Status(job.Status).IsComplete(), Path: jobPath(project, job.ID),
		Raw: jobPath(project, job.ID) + "/raw", Pipeline: pipelinePath(project, job.PipelineID),
		Took: between(job.StartedAt, job.FinishedAt, v.Now()), Waited: between(job.QueuedAt, job.StartedAt, v.Now()),
		Coverage: percent(job.Coverage), Failure: failureText(job),
	}
	if view.Actions, err = p.jobButtons(v, job); err != nil {
		return err
	}
	if view.Waiting, err = p.Engine.WhyWaiting(ctx, job, v.Project.Role() >= model.Developer); err != nil {
		return err
	}
	if view.Artifacts, err = p.artifactsOf(v, row); err != nil {
		return err
	}
	if seesLog(*v.Project, job) {
		if view.Log, err = p.readLog(v, job, view.Live); err != nil {
			return err
		}
	}
	v.Policy += page.Fetching
	return v.Show(page.View{
		Templates: p.templates, Name: "job", Title: fmt.Sprintf("%s (#%d)", job.Name, job.ID), Tab: page.TabPipelines,
		Crumbs: []page.Link{
			{Path: at(v, "pipelines"), Label: "Pipelines"}, {Path: view.Pipeline, Label: fmt.Sprintf("#%d", job.PipelineID)},
		}, Wide: true, Scripts: []string{"job.js"}, Data: view,
	})
}

// seesLog reports whether a visitor can read the log of a job: a log that may contain secrets is for developers.
func seesLog(row model.ProjectRow, job model.Job) bool {
	return !job.Debug || row.Role() >= model.Developer
}

// rawLog leads to the whole log as text.
// GET /{project}/-/jobs/{id}/raw
func (p *Pages) rawLog(v *page.Visit) error {
	row, err := p.findJob(v)
	if err != nil {
		return err
	}
	return v.Redirect(apiPath(v, row.Job.ID) + "/trace")
}

// apiPath returns the address of a job in the API, which sends files safely and in ranges.
func apiPath(v *page.Visit, id int64) string {
	return fmt.Sprintf("/api/v4/projects/%d/jobs/%d", v.Project.Project.ID, id)
}
