package mergerequestpages

import (
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
)

// listView is the content of a list of merge requests.
type listView struct {
	Rows   []issuablepages.Row
	States []page.Link
	Filter issuablepages.FilterForm
	Pager  page.Pager
	New    string // the address of the form for a new merge request; empty if the caller may not write one
	Any    bool   // the list has a filter
}

// projectList lists the merge requests of a project.
// GET /{project}/-/merge_requests
func (p *Pages) projectList(v *page.Visit) error {
	view, project := listView{}, v.Project.Project
	if v.Actor != nil && v.May(access.CreateMergeRequest) && !project.EmptyRepo {
		view.New = kind.List(project.FullPath) + "/new"
	}
	pipelines := int64(0)
	if v.Project.ReadsJobs() {
		pipelines = project.ID
	}
	scope := store.InProject(*v.Project, access.Reader(v.Request().Context()))
	return p.list(v, scope, project.FullPath, pipelines, view)
}

// groupList lists the merge requests of the projects in a group and its subgroups.
// GET /groups/{group}/-/merge_requests
func (p *Pages) groupList(v *page.Visit) error {
	scope := store.IssuableScope{GroupID: &v.Group.ID, Reader: access.Reader(v.Request().Context()), NonArchived: true}
	return p.list(v, scope, "", 0, listView{})
}

// list shows one page of merge requests. from is the path of the project, and pipelines its ID if the caller sees its
// pipelines.
func (p *Pages) list(v *page.Visit, scope store.IssuableScope, from string, pipelines int64, view listView) error {
	base, err := issuablepages.ReadFilter(v, kind)
	if err != nil {
		return err
	}
	filter := store.MergeRequestFilter{
		IssuableFilter: base, SourceBranch: v.QueryParam("source_branch"), TargetBranch: v.QueryParam("target_branch"),
		ReviewerName: strings.TrimPrefix(strings.TrimSpace(v.QueryParam("reviewer_username")), "@"),
	}
	if v.QueryParam("scope") == "reviews_for_me" {
		filter.Reviewer = strconv.FormatInt(v.Actor.User.ID, 10) // ReadFilter refuses anonymous visitors
	}
	view.Pager = v.Pager(issuablepages.Names...)
	rows, total, err := p.Store.MergeRequests.List(v.Request().Context(), scope, filter, view.Pager.Page)
	if err != nil {
		return err
	}
	view.Rows, view.Pager = issuablepages.MergeRequestRows(rows, from, pipelines), view.Pager.Of(total.More)
	view.States, view.Filter = issuablepages.States(v, kind, nil), issuablepages.NewFilterForm(v, kind)
	view.Any = view.Filter.Clear != ""
	return v.Show(page.View{Templates: p.templates, Name: "list", Title: "Merge requests", Tab: page.TabMerge, Data: view})
}
