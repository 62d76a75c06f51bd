package userpages

import (
	"strconv"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// few is the number of to-dos and merge requests on the start page.
const few = 5

// dashboardView is the content of the start page of a user.
type dashboardView struct {
	Search   string
	Projects []model.ProjectRow
	Pager    page.Pager
	Todos    []todoLine
	Assigned []model.MergeRequestRow
	Reviews  []model.MergeRequestRow
	Issues   []model.IssueRow
}

// dashboard shows the projects, to-dos, merge requests and issues of the current user. Anonymous visitors are asked to
// sign in.
// GET /
func (p *Pages) dashboard(v *page.Visit) error {
	if v.Actor == nil {
		if home := p.Store.Settings.Current().HomePageURL; home != nil && *home != "" {
			return v.Redirect(*home)
		}
		return v.Redirect("/users/sign_in")
	}
	ctx, u, at := v.Request().Context(), v.Actor.User, v.Pager("search")
	view := dashboardView{Search: v.QueryParam("search")}
	archived := false
	rows, total, err := p.Store.Projects.List(ctx,
		store.ProjectFilter{MinAccess: model.Guest, Archived: &archived, Search: view.Search, SearchNamespaces: view.Search != ""},
		store.ProjectOrder{Column: "last_activity_at", Desc: true}, &store.Reader{UserID: u.ID, External: u.External}, at.Page)
	if err != nil {
		return err
	}
	view.Projects, view.Pager = rows, at.Of(total.More)
	todos, _, err := p.Store.Todos.List(ctx, store.TodoFilter{State: model.TodoPending}, *access.Reader(ctx), store.Page{Limit: few})
	if err != nil {
		return err
	}
	view.Todos = todoLines(todos)
	if err := p.addWork(v, &view); err != nil {
		return err
	}
	return v.Show(page.View{Templates: p.templates, Name: "dashboard", Title: "Your projects", Data: view})
}

// addWork adds the open merge requests and issues of the current user.
func (p *Pages) addWork(v *page.Visit, view *dashboardView) (err error) {
	ctx, me := v.Request().Context(), strconv.FormatInt(v.Actor.User.ID, 10)
	scope, window := store.IssuableScope{Reader: access.Reader(ctx), NonArchived: true}, store.Page{Limit: few}
	open := store.IssuableFilter{State: "opened", OrderBy: "updated_at"}
	mine := open
	mine.Assignee = me
	if view.Assigned, _, err = p.Store.MergeRequests.List(ctx, scope, store.MergeRequestFilter{IssuableFilter: mine}, window); err != nil {
		return err
	}
	reviews := store.MergeRequestFilter{IssuableFilter: open, Reviewer: me}
	if view.Reviews, _, err = p.Store.MergeRequests.List(ctx, scope, reviews, window); err != nil {
		return err
	}
	view.Issues, _, err = p.Store.Issues.List(ctx, scope, store.IssueFilter{IssuableFilter: mine}, window)
	return err
}
