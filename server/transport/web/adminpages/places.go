package adminpages

import (
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// visibilities are the visibilities to filter by, with their names.
var visibilities = []page.Option{
	{Value: "", Label: "All"},
	{Value: model.Private.String(), Label: "Private"},
	{Value: model.Internal.String(), Label: "Internal"},
	{Value: model.Public.String(), Label: "Public"},
}

// visibility returns the visibility that a field chooses; nil for all.
func visibility(f page.Field) *model.Visibility {
	for _, v := range []model.Visibility{model.Private, model.Internal, model.Public} {
		if v.String() == f.Value {
			return &v
		}
	}
	return nil
}

// groupsView is the content of the list of groups.
type groupsView struct {
	Search     string
	Visibility page.Field
	Groups     []model.Namespace
	Pager      page.Pager
}

// groups lists and searches groups.
// GET /admin/groups
func (p *Pages) groups(v *page.Visit) error {
	ctx := v.Request().Context()
	view := groupsView{
		Search: v.QueryParam("search"), Visibility: page.Select("visibility", "Visibility", v.QueryParam("visibility"), visibilities...),
	}
	pager := v.Pager("search", "visibility")
	filter := store.GroupFilter{Search: view.Search, Visibility: visibility(view.Visibility), OrderBy: "id", Desc: true}
	rows, total, err := p.Store.Namespaces.ListGroups(ctx, filter, access.Reader(ctx), pager.Page)
	if err != nil {
		return err
	}
	view.Groups, view.Pager = rows, pager.Of(total.More)
	return p.show(v, "groups", "Groups", view)
}

// projectsView is the content of the list of projects.
type projectsView struct {
	Search                        string
	Visibility, Archived, Storage page.Field
	Projects                      []model.ProjectRow
	Pager                         page.Pager
}

// projects lists and searches projects.
// GET /admin/projects
func (p *Pages) projects(v *page.Visit) error {
	ctx := v.Request().Context()
	view := projectsView{
		Search: v.QueryParam("search"), Visibility: page.Select("visibility", "Visibility", v.QueryParam("visibility"), visibilities...),
		Archived: page.Select(
			"archived", "Archived", v.QueryParam("archived"), page.Option{Label: "All"}, page.Option{Value: "yes", Label: "Yes"},
			page.Option{Value: "no", Label: "No"},
		),
	}
	storages := append([]page.Option{{Label: "All"}}, p.storageOptions()...)
	view.Storage = page.Select("storage", "Storage", v.QueryParam("storage"), storages...)
	filter := store.ProjectFilter{
		Search: view.Search, SearchNamespaces: true, Visibility: visibility(view.Visibility), Storage: view.Storage.Value,
	}
	if chosen := view.Archived.Value; chosen == "yes" || chosen == "no" {
		archived := chosen == "yes"
		filter.Archived = &archived
	}
	pager := v.Pager("search", "visibility", "archived", "storage")
	rows, total, err := p.Store.Projects.List(ctx, filter, store.ProjectOrder{Column: "id", Desc: true}, access.Reader(ctx), pager.Page)
	if err != nil {
		return err
	}
	view.Projects, view.Pager = rows, pager.Of(total.More)
	return p.show(v, "projects", "Projects", view)
}
