package packagepages

import (
	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// kinds are the types of packages, with their names.
var kinds = []page.Option{
	{Value: "", Label: "All"},
	{Value: model.GenericPackage, Label: "Generic"},
	{Value: model.NPMPackage, Label: "npm"},
	{Value: model.PyPIPackage, Label: "PyPI"},
	{Value: model.MavenPackage, Label: "Maven"},
}

// orders are the orders of the list, with their names.
var orders = []page.Option{
	{Value: "", Label: "Newest first"},
	{Value: "name", Label: "Name"},
	{Value: "version", Label: "Version"},
	{Value: "type", Label: "Type"},
}

// listView is the content of a list of packages.
type listView struct {
	Search, Version string
	Type, Order     page.Field
	Packages        []listed
	Pager           page.Pager
	InGroup         bool
	Filtered        bool
	Publish         string // the command that publishes the first package
}

// listed is a package in a list.
type listed struct {
	model.PackageRow
	Address string // empty for a package that cannot be opened
}

// projectList lists the packages of a project.
// GET /{project}/-/packages
func (p *Pages) projectList(v *page.Visit) error {
	id := v.Project.Project.ID
	return p.list(v, store.PackageScope{ProjectID: &id}, listView{Publish: p.publishCommand(v.Project.Project)})
}

// groupList lists the packages of all projects of a group that the caller can read.
// GET /groups/{group}/-/packages
func (p *Pages) groupList(v *page.Visit) error {
	scope := access.PackageScope(v.Request().Context())
	scope.GroupID = &v.Group.ID
	return p.list(v, scope, listView{InGroup: true})
}

func (p *Pages) list(v *page.Visit, scope store.PackageScope, view listView) error {
	view.Search, view.Version = v.QueryParam("search"), v.QueryParam("version")
	view.Type = page.Select("type", "Type", v.QueryParam("type"), kinds...)
	view.Order = page.Select("order", "Order", v.QueryParam("order"), orders...)
	view.Filtered = view.Search != "" || view.Version != "" || view.Type.Value != ""
	filter := store.PackageFilter{
		Type: view.Type.Value, Name: view.Search, Version: view.Version, Statuses: packages.Listed, OrderBy: view.Order.Value,
		Desc: view.Order.Value == "",
	}
	pager := v.Pager("search", "version", "type", "order")
	rows, total, err := p.Store.Packages.List(v.Request().Context(), scope, filter, pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		one := listed{PackageRow: row}
		if row.Package.Status == model.PackageDefault || row.Package.Status == model.PackageDeprecated {
			one.Address = address(row.ProjectPath, row.Package.ID)
		}
		view.Packages = append(view.Packages, one)
	}
	view.Pager = pager.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "list", Title: "Packages", Tab: page.TabPackages, Data: view})
}
