package cipages

import (
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

func (p *Pages) registerJobs(r *page.Router) {
	r.Project("GET", "jobs", access.ReadJob, p.jobs)
	r.Project("GET", "jobs/:id", access.ReadPipeline, p.job)
	r.Project("GET", "jobs/:id/log", access.ReadPipeline, p.followJob)
	r.Project("GET", "jobs/:id/raw", access.ReadPipeline, p.rawLog)
	r.Project("POST", "jobs/:id/cancel", access.UpdateJob, p.cancelJob)
	r.Project("POST", "jobs/:id/retry", access.UpdateJob, p.retryJob)
	r.Project("POST", "jobs/:id/play", access.UpdateJob, p.playJob)
	r.Project("POST", "jobs/:id/erase", access.UpdateJob, p.eraseJob)
	r.Project("GET", "jobs/:id/artifacts/browse", access.ReadArtifact, p.browse)
	r.Project("GET", "jobs/:id/artifacts/browse/*", access.ReadArtifact, p.browse)
	r.Project("GET", "jobs/:id/artifacts/file/*", access.ReadArtifact, p.artifactFile)
	r.Project("GET", "jobs/:id/artifacts/raw/*", access.ReadArtifact, p.artifactRaw)
	r.Project("GET", "jobs/:id/artifacts/download", access.ReadArtifact, p.artifactDownload)
	r.Project("POST", "jobs/:id/artifacts/keep", access.UpdateJob, p.keepArtifacts)
	r.Project("POST", "jobs/:id/artifacts/delete", access.AdminArtifact, p.deleteArtifacts)
}

// jobsView is the content of the list of jobs.
type jobsView struct {
	Jobs     []jobLine
	Pager    page.Pager
	Statuses []page.Option
	Pipeline string
	Filtered bool
	Path     string
}

// jobLine is a line of the list of jobs.
type jobLine struct {
	model.JobRow
	Badge                        badge
	Path, Pipeline, Commit, Took string
	Tags                         []string
	Per, Artifacts               string
}

// jobs lists the jobs of a project.
// GET /{project}/-/jobs
func (p *Pages) jobs(v *page.Visit) error {
	status, marked, err := statuses.read(v, "status")
	if err != nil {
		return err
	}
	view := jobsView{Statuses: marked, Pipeline: v.QueryParam("pipeline"), Path: at(v, "jobs")}
	filter := store.JobFilter{ProjectID: v.Project.Project.ID, Retried: true}
	if status != "" {
		filter.Scope = []string{status}
	}
	if view.Pipeline != "" {
		if filter.PipelineID, err = strconv.ParseInt(view.Pipeline, 10, 64); err != nil || filter.PipelineID < 1 {
			return apierr.BadRequest("pipeline is not the number of a pipeline")
		}
	}
	view.Filtered = status != "" || view.Pipeline != ""
	pager := v.Pager("status", "pipeline")
	rows, total, err := p.Store.Jobs.ListUncounted(v.Request().Context(), filter, pager.Page)
	if err != nil {
		return err
	}
	view.Pager, view.Jobs = pager.Of(total.More), jobLines(v, rows)
	return v.Show(page.View{
		Templates: p.templates, Name: "jobs", Title: "Jobs", Tab: page.TabPipelines, Nav: nav(v, "jobs"), Data: view,
	})
}

func jobLines(v *page.Visit, rows []model.JobRow) []jobLine {
	project, lines := v.Project.Project, make([]jobLine, len(rows))
	for i, row := range rows {
		path := jobPath(project, row.Job.ID)
		lines[i] = jobLine{
			JobRow: row, Badge: jobBadge(row.Job), Path: path, Pipeline: pipelinePath(project, row.Job.PipelineID),
			Commit: commitPath(project, row.Pipeline.SHA), Took: between(row.Job.StartedAt, row.Job.FinishedAt, v.Now()),
			Tags: list(row.Job.Tags), Per: percent(row.Job.Coverage),
		}
		if archiveOf(row) != nil {
			lines[i].Artifacts = path + "/artifacts/browse"
		}
	}
	return lines
}

// archiveOf returns the artifacts archive of a job, or nil.
func archiveOf(row model.JobRow) *model.JobArtifact {
	for i := range row.Artifacts {
		if row.Artifacts[i].FileType == model.ArchiveArtifact {
			return &row.Artifacts[i]
		}
	}
	return nil
}
