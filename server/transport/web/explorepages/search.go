package explorepages

import (
	"strings"

	"svc/server/domain/search"
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

// results searches one kind of thing on the whole instance.
// GET /-/search
func (p *Pages) results(v *page.Visit) error {
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

// find reads one page of results. A text that cannot be searched for finds nothing.
func (p *Pages) find(v *page.Visit, view *searchView) (err error) {
	ctx, at := v.Request().Context(), v.Pager("search", "scope")
	q, total := search.Query{Text: view.Search}, store.Total{}
	if q.Check() != nil {
		return nil
	}
	switch view.Scope {
	case "groups":
		view.Groups, total, err = p.search.Groups(ctx, q, at.Page)
	case "users":
		view.Users, total, err = p.search.Users(ctx, search.Place{}, q, at.Page)
	case "issues":
		view.Issues, total, err = p.search.Issues(ctx, search.Place{}, q, at.Page)
	case "merge_requests":
		view.MergeRequests, total, err = p.search.MergeRequests(ctx, search.Place{}, q, at.Page)
	default:
		q.IncludeArchived = true
		view.Projects, total, err = p.search.Projects(ctx, search.Place{}, q, at.Page)
	}
	view.Found = len(view.Projects)+len(view.Groups)+len(view.Users)+len(view.Issues)+len(view.MergeRequests) > 0
	view.Pager = at.Of(total.More)
	return err
}
