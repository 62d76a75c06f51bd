package groups

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// TransferGroup moves a group into another group, or to the top level.
// POST /groups/{id}/transfer
func (g *Groups) TransferGroup(
	ctx context.Context, req gen.TransferGroupRequestObject,
) (gen.TransferGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	to, err := g.groups.MayCreateIn(ctx, wire.Value(req.Body).GroupID)
	if err != nil {
		return nil, err
	}
	if err := g.groups.Transfer(ctx, row, to); err != nil {
		return nil, err
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.TransferGroup201JSONResponse(shown), nil
}
