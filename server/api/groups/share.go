package groups

import (
	"context"

	"svc/gen"
	"svc/server/domain/group"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ShareGroup shares a group with another group: members of the other group get a role in it.
// POST /groups/{id}/share
func (g *Groups) ShareGroup(
	ctx context.Context, req gen.ShareGroupRequestObject,
) (gen.ShareGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	if err := g.groups.Share(ctx, row, shareFrom(*req.Body)); err != nil {
		return nil, err
	}
	shown, err := g.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.ShareGroup201JSONResponse(shown), nil
}

// DeleteGroupShare ends the sharing of a group with another group.
// DELETE /groups/{id}/share/{group_id}
func (g *Groups) DeleteGroupShare(
	ctx context.Context, req gen.DeleteGroupShareRequestObject,
) (gen.DeleteGroupShareResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	err = g.groups.Unshare(ctx, row, req.GroupID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupShare204Response{}, nil
}

func shareFrom(b gen.GroupShareCreate) group.NewShare {
	share := group.NewShare{GroupID: b.GroupID, AccessLevel: model.Access(b.GroupAccess)}
	if day := b.ExpiresAt.Ptr(); day != nil {
		share.ExpiresAt = &day.Time
	}
	return share
}
