package grouppages

import (
	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

const (
	maxGroups   = 100 // of the tree; the pages of subgroups show the rest
	maxProjects = 50  // of one page of the tree
	maxShared   = 20  // projects of other groups
)

// homeView is the content of the page of a group.
type homeView struct {
	Group      model.Namespace
	Avatar     *string
	Search     string
	Tree       *node
	Groups     []model.Namespace // found by the search
	Projects   []model.ProjectRow
	MoreGroups bool
	Shared     []model.ProjectRow
	Pager      page.Pager
	NewProject bool // the caller may make projects here
	NewGroup   bool
}

// home shows a group with the tree of its subgroups and projects, or what the search finds in it.
// GET /groups/{group}
func (p *Pages) home(v *page.Visit) error {
	ctx, g := v.Request().Context(), v.Group.Namespace
	view := homeView{
		Group: g, Avatar: naming.AvatarURL("", "group", g.ID, g.Avatar), Search: v.QueryParam("search"),
		NewProject: project.MayCreateWith(g.ProjectCreationLevel, v.Group.Role), NewGroup: group.MayCreateWith(g, v.Group.Role),
	}
	at, reader := v.PagerOf(maxProjects, "search"), access.Reader(ctx)
	groups, found, err := p.Store.Namespaces.ListGroups(
		ctx, store.GroupFilter{Below: &g.ID, Search: view.Search, OrderBy: "path"}, reader, store.Page{Limit: maxGroups},
	)
	if err != nil {
		return err
	}
	filter := store.ProjectFilter{Below: &g.ID, Search: view.Search}
	projects, total, err := p.Store.Projects.List(ctx, filter, store.ProjectOrder{Column: "path"}, reader, at.Page)
	if err != nil {
		return err
	}
	view.Pager, view.MoreGroups = at.Of(total.More), found.More
	if view.Search != "" {
		view.Groups, view.Projects = groups, projects
	} else {
		view.Tree = newTree(g, groups, projects, at.Number() > 1)
		shared := store.ProjectFilter{SharedWith: &g.ID}
		view.Shared, _, err = p.Store.Projects.List(ctx, shared, store.ProjectOrder{Column: "name"}, reader, store.Page{Limit: maxShared})
		if err != nil {
			return err
		}
	}
	return v.Show(page.View{Templates: p.templates, Name: "home", Title: g.Name, Tab: page.TabHome, Data: view})
}
