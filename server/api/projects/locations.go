package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// ListProjectShareLocations lists the groups that a project can be shared with.
// GET /projects/{id}/share_locations
func (p *Projects) ListProjectShareLocations(
	ctx context.Context, req gen.ListProjectShareLocationsRequestObject,
) (gen.ListProjectShareLocationsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ShareProject)
	if err != nil {
		return nil, err
	}
	q := req.Params
	f := store.GroupFilter{Search: wire.Value(q.Search)}
	rows, headers, err := p.groups(ctx, q.Page, q.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListShareLocations(ctx, row.Project, f, *access.Reader(ctx), w)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectShareLocations200JSONResponse{
		Body: rows, Headers: gen.ListProjectShareLocations200ResponseHeaders(headers),
	}, nil
}

// ListProjectTransferLocations lists the groups that a project can be moved into.
// GET /projects/{id}/transfer_locations
func (p *Projects) ListProjectTransferLocations(
	ctx context.Context, req gen.ListProjectTransferLocationsRequestObject,
) (gen.ListProjectTransferLocationsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.TransferProject)
	if err != nil {
		return nil, err
	}
	q := req.Params
	f := store.GroupFilter{Search: wire.Value(q.Search)}
	rows, headers, err := p.groups(ctx, q.Page, q.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListTransferLocations(ctx, row.Project, f, *access.Reader(ctx), w)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectTransferLocations200JSONResponse{
		Body: rows, Headers: gen.ListProjectTransferLocations200ResponseHeaders(headers),
	}, nil
}
