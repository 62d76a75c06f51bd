package explorepages

import (
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// exploreView is the content of the page with projects and groups.
type exploreView struct {
	Kinds    []page.Link
	Kind     string
	Search   string
	Sort     string
	Projects []model.ProjectRow
	Groups   []model.Namespace
	Pager    page.Pager
}

// orders are the orders of the list of projects.
var orders = map[string]store.ProjectOrder{
	"active": {Column: "last_activity_at", Desc: true},
	"stars":  {Column: "star_count", Desc: true},
	"newest": {Column: "created_at", Desc: true},
	"name":   {Column: "name"},
}

// explore lists the projects or groups that the caller can see. Anonymous visitors see the public ones.
// GET /-/explore
func (p *Pages) explore(v *page.Visit) error {
	ctx, at := v.Request().Context(), v.Pager("search", "kind", "sort")
	view := exploreView{Kind: "projects", Search: v.QueryParam("search"), Sort: v.QueryParam("sort")}
	if _, known := orders[view.Sort]; !known {
		view.Sort = "active"
	}
	if v.QueryParam("kind") == "groups" {
		view.Kind = "groups"
	}
	view.Kinds = []page.Link{
		kindLink(v, "kind", "projects", "Projects", view.Kind), kindLink(v, "kind", "groups", "Groups", view.Kind),
	}
	var total store.Total
	var err error
	if view.Kind == "groups" {
		view.Groups, total, err = p.store.Namespaces.ListGroups(ctx, store.GroupFilter{Search: view.Search}, access.Reader(ctx), at.Page)
	} else {
		archived := false
		filter := store.ProjectFilter{Search: view.Search, SearchNamespaces: true, Archived: &archived}
		view.Projects, total, err = p.store.Projects.List(ctx, filter, orders[view.Sort], access.Reader(ctx), at.Page)
	}
	if err != nil {
		return err
	}
	view.Pager = at.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "explore", Title: "Explore", Data: view})
}
