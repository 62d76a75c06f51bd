package mergerequestpages

import (
	"maps"
	"slices"

	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// commitsView is the content of the page with the commits of a merge request.
type commitsView struct {
	heading
	Root    string // the address of the project
	Commits []git.Commit
	Total   int
	Pager   page.Pager
	Context []git.Commit // older commits that reviewers should know; only on the first page
}

// maxContext is how many context commits the page shows.
const maxContext = 100

// commits lists the commits of a merge request.
// GET /{project}/-/merge_requests/{iid}/commits
func (p *Pages) commits(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	view := commitsView{Root: "/" + v.Project.Project.FullPath, Pager: v.Pager()}
	if view.heading, err = p.heading(v, mr, partCommits); err != nil {
		return err
	}
	ctx := v.Request().Context()
	revision, err := p.viewer.Revision(ctx, v.Project.Project, mr)
	if err != nil {
		return err
	}
	ids, err := revision.Commits(ctx)
	if err != nil {
		return err
	}
	view.Total = len(ids)
	from := min(view.Pager.Page.Offset, len(ids))
	to := min(from+view.Pager.Page.Limit, len(ids))
	view.Pager = view.Pager.Of(to < len(ids))
	if view.Commits, err = revision.Repo.Commits(ctx, ids[from:to]); err != nil {
		return err
	}
	if from == 0 {
		if view.Context, _, err = p.viewer.ContextCommits(ctx, mr, store.Page{Limit: maxContext}); err != nil {
			return err
		}
	}
	return p.show(v, mr, page.View{Name: "commits", Title: "Commits of ", Data: view})
}

// pipelinesView is the content of the page with the pipelines of a merge request.
type pipelinesView struct {
	heading
	Runs  []run
	Pager page.Pager
}

// run is a pipeline of a merge request.
type run struct {
	model.Pipeline
	Link page.Link
}

// pipelines lists the pipelines of a merge request that the caller sees.
// GET /{project}/-/merge_requests/{iid}/pipelines
func (p *Pages) pipelines(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	view := pipelinesView{Pager: v.Pager()}
	if view.heading, err = p.heading(v, mr, partPipelines); err != nil {
		return err
	}
	ctx := v.Request().Context()
	paths, err := p.viewer.PipelineProjects(ctx, *v.Project, mr)
	if err != nil {
		return err
	}
	rows, total, err := p.Store.MergeRequests.Pipelines(ctx, mr, slices.Collect(maps.Keys(paths)), view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Runs = append(view.Runs, run{row, pipelineLink(paths[row.ProjectID], row)})
	}
	view.Pager = view.Pager.Of(total.More)
	return p.show(v, mr, page.View{Name: "pipelines", Title: "Pipelines of ", Data: view})
}
