package groups

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListGroupTransferLocations lists the groups that a group can be moved into.
// GET /groups/{id}/transfer_locations
func (g *Groups) ListGroupTransferLocations(
	ctx context.Context, req gen.ListGroupTransferLocationsRequestObject,
) (gen.ListGroupTransferLocationsResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := g.pages.Offset(ctx, pagination.Kind{Name: "Group"}, q.Page, q.PerPage)
	if err != nil {
		return nil, err
	}
	f := store.GroupFilter{Search: wire.Value(q.Search)}
	rows, total, err := g.store.Namespaces.ListTransferLocations(ctx, row, f, *access.Reader(ctx), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupTransferLocations200JSONResponse{
		Body:    present.All(rows, g.show.GroupPublic),
		Headers: gen.ListGroupTransferLocations200ResponseHeaders(window.Headers(total)),
	}, nil
}
