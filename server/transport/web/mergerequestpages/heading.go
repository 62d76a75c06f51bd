package mergerequestpages

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// heading is what all pages of a merge request show above their content.
type heading struct {
	Request         model.MergeRequest
	Reference, Base string
	Source, Target  page.Link // the branches; without a path if the caller does not see the project
	Tabs            []page.Link
	Edit            string // the address of the form; empty if the caller may not change the merge request
}

// The parts of a merge request.
const (
	partOverview  = ""
	partCommits   = "/commits"
	partPipelines = "/pipelines"
	partChanges   = "/diffs"
)

// find finds the merge request of a page.
func (p *Pages) find(v *page.Visit) (model.MergeRequest, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.MergeRequest{}, page.NotFound()
	}
	mr, err := p.Store.MergeRequests.Get(v.Request().Context(), v.Project.Project.ID, iid)
	return mr, page.Hide(apierr.OrNotFound(err))
}

// heading returns the heading of a page of a merge request.
func (p *Pages) heading(v *page.Visit, mr model.MergeRequest, part string) (heading, error) {
	ctx, project := v.Request().Context(), v.Project.Project
	h := heading{Request: mr, Reference: kind.Reference(mr.IID), Base: kind.Address(project.FullPath, mr.IID)}
	h.Target = page.Link{Path: "/" + project.FullPath + "/-/tree/" + page.EscapePath(mr.TargetBranch), Label: mr.TargetBranch}
	var err error
	if h.Source, err = p.source(ctx, project, mr); err != nil {
		return h, err
	}
	for _, t := range []page.Link{
		{Path: partOverview, Label: "Overview"},
		{Path: partCommits, Label: "Commits"},
		{Path: partPipelines, Label: "Pipelines"},
		{Path: partChanges, Label: "Changes"},
	} {
		h.Tabs = append(h.Tabs, page.Link{Path: h.Base + t.Path, Label: t.Label, Here: t.Path == part})
	}
	may, err := p.mayChange(v, mr)
	if may {
		h.Edit = h.Base + "/edit"
	}
	return h, err
}

// mayChange reports whether the caller may change a merge request.
func (p *Pages) mayChange(v *page.Visit, mr model.MergeRequest) (bool, error) {
	if v.Actor == nil || !v.May(access.UpdateMergeRequest) {
		return false, nil
	}
	err := p.service.CheckMayChange(v.Request().Context(), *v.Project, mr)
	if page.IsRefusal(err) {
		return false, nil
	}
	return err == nil, err
}

// source returns the source branch. That of a fork which the caller does not see has no address.
func (p *Pages) source(ctx context.Context, project model.Project, mr model.MergeRequest) (page.Link, error) {
	link := page.Link{Label: mr.SourceBranch}
	if mr.SourceProjectID == nil {
		link.Label += " of a deleted project"
		return link, nil
	}
	path := project.FullPath
	if *mr.SourceProjectID != project.ID {
		reader := access.Reader(ctx)
		row, err := p.Store.Projects.Get(ctx, *mr.SourceProjectID, "", reader)
		if store.IsNotFound(err) || err == nil && !access.SeesProject(row, reader) {
			link.Label += " of a fork"
			return link, nil
		}
		if err != nil {
			return link, err
		}
		path = row.Project.FullPath
		link.Label = path + ":" + link.Label
	}
	link.Path = "/" + path + "/-/tree/" + page.EscapePath(mr.SourceBranch)
	return link, nil
}

// show shows a page of a merge request.
func (p *Pages) show(v *page.Visit, mr model.MergeRequest, view page.View) error {
	view.Templates, view.Tab = p.templates, page.TabMerge
	view.Title += mr.Title + " (" + kind.Reference(mr.IID) + ")"
	view.Crumbs = kind.Crumbs(v.Project.Project.FullPath, mr.IID)
	return v.Show(view)
}
