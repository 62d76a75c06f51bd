package cipages

import (
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

func (p *Pages) registerPipelines(r *page.Router) {
	r.Project("GET", "pipelines", access.ReadPipeline, p.pipelines)
	r.Project("GET", "pipelines/new", access.CreatePipeline, p.newPipeline)
	r.Project("POST", "pipelines/new", access.CreatePipeline, p.runPipeline)
	r.Project("GET", "pipelines/:id", access.ReadPipeline, p.pipeline)
	r.Project("GET", "pipelines/:id/test_report", access.ReadPipeline, p.tests)
	r.Project("POST", "pipelines/:id/cancel", access.UpdatePipeline, p.cancelPipeline)
	r.Project("POST", "pipelines/:id/retry", access.UpdatePipeline, p.retryPipeline)
	r.Project("POST", "pipelines/:id/delete", access.DestroyPipeline, p.deletePipeline)
}

// pipelinesView is the content of the list of pipelines.
type pipelinesView struct {
	Pipelines         []pipelineLine
	Pager             page.Pager
	Statuses, Sources []page.Option
	Ref, Username     string
	Filtered, MayRun  bool
	Path, New, File   string
}

// pipelineLine is a line of the list of pipelines.
type pipelineLine struct {
	model.PipelineRow
	Badge                                badge
	Path, Commit, Title, From, Took, Per string
}

// pipelines lists the pipelines of a project.
// GET /{project}/-/pipelines
func (p *Pages) pipelines(v *page.Visit) error {
	view := pipelinesView{
		Ref: v.QueryParam("ref"), Username: v.QueryParam("username"), Path: at(v, "pipelines"), New: at(v, "pipelines/new"),
		MayRun: v.May(access.CreatePipeline), File: launch.DefaultFiles[0],
	}
	status, marked, err := statuses.read(v, "status")
	if err != nil {
		return err
	}
	source, markedSources, err := sources.read(v, "source")
	if err != nil {
		return err
	}
	view.Statuses, view.Sources = marked, markedSources
	filter := store.PipelineFilter{Status: status, Source: source, Ref: view.Ref, Username: view.Username}
	view.Filtered = filter != (store.PipelineFilter{})
	pager := v.Pager("status", "source", "ref", "username")
	rows, more, err := p.Store.Pipelines.ListRows(v.Request().Context(), v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	view.Pager, view.Pipelines = pager.Of(more), pipelineLines(v, rows)
	return v.Show(page.View{
		Templates: p.templates, Name: "pipelines", Title: "Pipelines", Tab: page.TabPipelines, Nav: nav(v, "pipelines"), Data: view,
	})
}

func pipelineLines(v *page.Visit, rows []model.PipelineRow) []pipelineLine {
	project, lines := v.Project.Project, make([]pipelineLine, len(rows))
	for i, row := range rows {
		title := commitOf(row.Pipeline).Title()
		if row.Name != nil {
			title = *row.Name
		}
		lines[i] = pipelineLine{
			PipelineRow: row, Badge: pipelineBadge(row.Status, row.Warned), Path: pipelinePath(project, row.ID),
			Commit: commitPath(project, row.SHA), Title: title, From: sourceText(row.Source),
			Took: between(row.StartedAt, row.FinishedAt, v.Now()), Per: percent(row.Coverage),
		}
	}
	return lines
}
