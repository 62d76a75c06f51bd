package packages

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectPackages lists the packages of a project.
// GET /projects/{id}/packages
func (p *Packages) ListProjectPackages(
	ctx context.Context, req gen.ListProjectPackagesRequestObject,
) (gen.ListProjectPackagesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPackage)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, p.pages, "Packages::Package", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.Packages.List(ctx, store.PackageScope{ProjectID: &row.Project.ID}, store.PackageFilter{
		Type: string(wire.Value(q.PackageType)), Name: wire.Value(q.PackageName), Version: wire.Value(q.PackageVersion),
		Statuses: statuses(q.Status), Versionless: wire.Value(q.IncludeVersionless),
		OrderBy: string(wire.Value(q.OrderBy)), Desc: wire.Value(q.Sort) == gen.SortDesc,
	}, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPackages200JSONResponse{
		Body:    present.All(rows, p.presenter(ctx, row).Package),
		Headers: gen.ListProjectPackages200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListGroupPackages lists the packages of the projects of a group.
// GET /groups/{id}/packages
func (p *Packages) ListGroupPackages(
	ctx context.Context, req gen.ListGroupPackagesRequestObject,
) (gen.ListGroupPackagesResponseObject, error) {
	group, role, err := p.access.Group(ctx, req.ID, access.ReadGroupPackage)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, p.pages, "Packages::Package", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	scope := access.PackageScope(ctx)
	scope.GroupID, scope.Direct = &group.ID, wire.Value(q.ExcludeSubgroups)
	rows, total, err := p.store.Packages.List(ctx, scope, store.PackageFilter{
		Type: string(wire.Value(q.PackageType)), Name: wire.Value(q.PackageName), Version: wire.Value(q.PackageVersion),
		Statuses: statuses(q.Status), Versionless: wire.Value(q.IncludeVersionless),
		OrderBy: string(wire.Value(q.OrderBy)), Desc: wire.Value(q.Sort) == gen.SortDesc,
	}, window.Page)
	if err != nil {
		return nil, err
	}
	// A role in the group is also a role in all its projects; roles in single projects are not looked up.
	show := present.PackagePresenter{
		Presenter: p.show, Deletes: role >= model.Maintainer, Pipelines: role >= model.Reporter, InGroup: true,
	}
	return gen.ListGroupPackages200JSONResponse{
		Body: present.All(rows, show.Package), Headers: gen.ListGroupPackages200ResponseHeaders(window.Headers(total)),
	}, nil
}

// statuses returns the statuses of the packages that a list shows.
func statuses(given *gen.PackageStatus) []string {
	if given == nil {
		return packages.Listed
	}
	return []string{string(*given)}
}
