package groups

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/removal"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// accepted is the message for operations that continue in the background.
const accepted = "202 Accepted"

// DeleteGroup deletes a group and all its subgroups, or marks them for deletion.
// DELETE /groups/{id}
func (g *Groups) DeleteGroup(
	ctx context.Context, req gen.DeleteGroupRequestObject,
) (gen.DeleteGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.RemoveGroup)
	if err != nil {
		return nil, err
	}
	_, err = g.groups.Remove(ctx, row, removal.Request{
		Permanently: wire.Value(req.Params.PermanentlyRemove), FullPath: wire.Value(req.Params.FullPath),
		UnmodifiedSince: reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince),
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroup202JSONResponse{Message: accepted}, nil
}

// RestoreGroup restores a group that is marked for deletion.
// POST /groups/{id}/restore
func (g *Groups) RestoreGroup(
	ctx context.Context, req gen.RestoreGroupRequestObject,
) (gen.RestoreGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.RestoreGroup)
	if err != nil {
		return nil, err
	}
	if err := g.groups.Restore(ctx, row); err != nil {
		return nil, err
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.RestoreGroup201JSONResponse(shown), nil
}
