package releases

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// ListProjectReleases lists the releases of a project.
// GET /projects/{id}/releases
func (r *Releases) ListProjectReleases(
	ctx context.Context, req gen.ListProjectReleasesRequestObject,
) (gen.ListProjectReleasesResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.ReadReleases)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, r.pages, "Release", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.Releases.List(ctx, row.Project.ID, store.ReleaseFilter{
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
		ByCreation: wire.Value(q.OrderBy) == gen.ReleaseOrderCreatedAt, Asc: wire.Value(q.Sort) == gen.SortAsc,
	}, window.Page)
	if err != nil {
		return nil, err
	}
	shown, err := r.presentAll(ctx, row, rows, wire.Value(q.IncludeHTMLDescription))
	return gen.ListProjectReleases200JSONResponse{
		Body: shown, Headers: gen.ListProjectReleases200ResponseHeaders(window.Headers(total)),
	}, err
}

// ListGroupReleases lists the releases of the projects of a group.
// GET /groups/{id}/releases
func (r *Releases) ListGroupReleases(
	ctx context.Context, req gen.ListGroupReleasesRequestObject,
) (gen.ListGroupReleasesResponseObject, error) {
	g, _, err := r.access.Group(ctx, req.ID, access.ReadGroupReleases)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, r.pages, "Release", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.Releases.ListByGroup(
		ctx, g.ID, wire.Value(q.Sort) == gen.SortAsc, access.Reader(ctx), window.Page,
	)
	if err != nil {
		return nil, err
	}
	shown, err := r.presentOfProjects(ctx, rows, wire.Value(q.Simple))
	return gen.ListGroupReleases200JSONResponse{
		Body: shown, Headers: gen.ListGroupReleases200ResponseHeaders(window.Headers(total)),
	}, err
}
