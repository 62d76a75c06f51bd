package explorepages

import (
	"strings"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// searchView is the content of the page with search results.
type searchView struct {
	Search        string
	Scope         string
	Scopes        []page.Link
	Projects      []model.ProjectRow
	Groups        []model.Namespace
	Users         []model.User
	Issues        []model.IssueRow
	MergeRequests []model.MergeRequestRow
	Pager         page.Pager
	Found         bool
}

// scopes are the things that can be searched. Users, issues and merge requests are for signed-in users, as in the API.
var scopes = []struct {
	name, label string
	members     bool
}{
	{"projects", "Projects", false},
	{"groups", "Groups", false},
	{"issues", "Issues", true},
	{"merge_requests", "Merge requests", true},
	{"users", "People", true},
}

// search searches one kind of thing on the whole instance.
// GET /-/search
func (p *Pages) search(v *page.Visit) error {
	view := searchView{Search: strings.TrimSpace(v.QueryParam("search")), Scope: "projects"}
	for _, s := range scopes {
		if s.name == v.QueryParam("scope") && (v.Actor != nil || !s.members) {
			view.Scope = s.name
		}
	}
	for _, s := range scopes {
		if v.Actor != nil || !s.members {
			view.Scopes = append(view.Scopes, kindLink(v, "scope", s.name, s.label, view.Scope))
		}
	}
	if view.Search != "" {
		if err := p.find(v, &view); err != nil {
			return err
		}
	}
	return v.Show(page.View{Templates: p.templates, Name: "search", Title: "Search", Data: view})
}

// find reads one page of results.
func (p *Pages) find(v *page.Visit, view *searchView) (err error) {
	ctx, at := v.Request().Context(), v.Pager("search", "scope")
	reader, total := access.Reader(ctx), store.Total{}
	newest := store.IssuableFilter{Search: view.Search, OrderBy: "updated_at"}
	switch view.Scope {
	case "groups":
		view.Groups, total, err = p.store.Namespaces.ListGroups(ctx, store.GroupFilter{Search: view.Search}, reader, at.Page)
	case "users":
		f := store.UserFilter{Search: view.Search, Active: true, WithoutProjectBots: true, ExcludeInternal: true, Basic: true}
		view.Users, total, err = p.store.Users.List(ctx, f, store.UserOrder{Column: "id", Desc: true}, at.Page)
	case "issues":
		scope := store.IssuableScope{Reader: reader, NonArchived: true}
		view.Issues, total, err = p.store.Issues.List(ctx, scope, store.IssueFilter{IssuableFilter: newest}, at.Page)
	case "merge_requests":
		scope := store.IssuableScope{Reader: reader, NonArchived: true}
		view.MergeRequests, total, err = p.store.MergeRequests.List(ctx, scope, store.MergeRequestFilter{IssuableFilter: newest}, at.Page)
	default:
		filter := store.ProjectFilter{Search: view.Search, SearchNamespaces: true}
		view.Projects, total, err = p.store.Projects.List(ctx, filter, orders["active"], reader, at.Page)
	}
	view.Found = len(view.Projects)+len(view.Groups)+len(view.Users)+len(view.Issues)+len(view.MergeRequests) > 0
	view.Pager = at.Of(total.More)
	return err
}
