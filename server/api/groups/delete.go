package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// accepted is the message for operations that continue in the background.
const accepted = "202 Accepted"

// DeleteGroup deletes a group and all its subgroups.
// DELETE /groups/{id}
func (g *Groups) DeleteGroup(
	ctx context.Context, req gen.DeleteGroupRequestObject,
) (gen.DeleteGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.RemoveGroup)
	if err != nil {
		return nil, err
	}
	if err := g.groups.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroup202JSONResponse{Message: accepted}, nil
}
