package issuepages

import (
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// listView is the content of a list of issues.
type listView struct {
	Rows   []issuablepages.Row
	States []page.Link
	Filter issuablepages.FilterForm
	Pager  page.Pager
	New    string // the address of the form for a new issue; empty if the caller may not write one
	Links  []page.Link
	Any    bool // the list has a filter
}

// projectList lists the issues of a project.
// GET /{project}/-/issues
func (p *Pages) projectList(v *page.Visit) error {
	path := "/" + v.Project.Project.FullPath + "/-/"
	view := listView{Links: links(v, path, []place{
		{"Labels", "labels", access.ReadLabel}, {"Milestones", "milestones", access.ReadMilestone}, {"Boards", "boards", access.ReadBoard},
	})}
	if v.Actor != nil && v.May(access.CreateIssue) {
		view.New = path + "issues/new"
	}
	return p.list(v, store.InProject(*v.Project, access.Reader(v.Request().Context())), v.Project.Project.FullPath, view)
}

// place is a page that the list of issues links to, for callers with an ability.
type place struct {
	label, at string
	ability   access.Ability
}

// links returns the pages about planning that the caller may open.
func links(v *page.Visit, path string, places []place) []page.Link {
	var all []page.Link
	for _, to := range places {
		if v.May(to.ability) {
			all = append(all, page.Link{Path: path + to.at, Label: to.label})
		}
	}
	return all
}

// groupList lists the issues of the projects in a group and its subgroups.
// GET /groups/{group}/-/issues
func (p *Pages) groupList(v *page.Visit) error {
	scope := store.IssuableScope{GroupID: &v.Group.ID, Reader: access.Reader(v.Request().Context()), NonArchived: true}
	path := "/groups/" + v.Group.FullPath + "/-/"
	view := listView{Links: links(v, path, []place{
		{"Labels", "labels", access.ReadGroupLabel}, {"Milestones", "milestones", access.ReadGroupMilestone},
	})}
	return p.list(v, scope, "", view)
}

// list shows one page of issues. from is the path of the project.
func (p *Pages) list(v *page.Visit, scope store.IssuableScope, from string, view listView) error {
	ctx := v.Request().Context()
	base, err := issuablepages.ReadFilter(v, kind)
	if err != nil {
		return err
	}
	filter := store.IssueFilter{IssuableFilter: base}
	view.Pager = v.Pager(issuablepages.Names...)
	rows, total, err := p.Store.Issues.List(ctx, scope, filter, view.Pager.Page)
	if err != nil {
		return err
	}
	opened, closed, err := p.Store.Issues.Count(ctx, scope, filter)
	if err != nil {
		return err
	}
	view.Rows, view.Pager = issuablepages.IssueRows(rows, from, v.Now()), view.Pager.Of(total.More)
	view.States = issuablepages.States(v, kind, map[string]int64{model.Opened: opened, model.Closed: closed, "all": opened + closed})
	view.Filter = issuablepages.NewFilterForm(v, kind)
	view.Any = view.Filter.Clear != ""
	return v.Show(page.View{Templates: p.templates, Name: "list", Title: "Issues", Tab: page.TabIssues, Data: view})
}
