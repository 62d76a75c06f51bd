package groups

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/server/domain/avatar"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// CreateGroup creates a group that the caller owns.
// POST /groups
func (g *Groups) CreateGroup(ctx context.Context, req gen.CreateGroupRequestObject) (gen.CreateGroupResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateGroup)
	if err != nil {
		return nil, err
	}
	parent, err := g.parentGroup(ctx, req.Body.ParentID)
	if err != nil {
		return nil, err
	}
	row := newGroup(*req.Body)
	if err := checkPlace(row, parent); err != nil {
		return nil, err
	}
	picture, err := avatar.Read(req.Body.Avatar)
	if err != nil {
		return nil, err
	}
	if err := g.create(ctx, &row, actor.User.ID, picture); err != nil {
		return nil, explainSave(err)
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroup201JSONResponse(shown), nil
}

// GetGroup returns a group.
// GET /groups/{id}
func (g *Groups) GetGroup(ctx context.Context, req gen.GetGroupRequestObject) (gen.GetGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	show := g.detail
	if req.Params.WithProjects != nil && !*req.Params.WithProjects {
		show = g.withoutProjects
	}
	shown, err := show(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.GetGroup200JSONResponse(shown), nil
}

// UpdateGroup changes the given fields of a group.
// PUT /groups/{id}
func (g *Groups) UpdateGroup(ctx context.Context, req gen.UpdateGroupRequestObject) (gen.UpdateGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	if req.Body != nil {
		picture, err := avatar.Read(req.Body.Avatar)
		if err != nil {
			return nil, err
		}
		if err := g.update(ctx, row, *req.Body, picture); err != nil {
			return nil, explainSave(err)
		}
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroup200JSONResponse(shown), nil
}

// DeleteGroup deletes a group and all its subgroups.
// DELETE /groups/{id}
func (g *Groups) DeleteGroup(ctx context.Context, req gen.DeleteGroupRequestObject) (gen.DeleteGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.RemoveGroup)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		return groupChange(row, "group_destroyed", "Removed group"), g.store.Namespaces.Delete(
			ctx, row.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince),
		)
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroup202JSONResponse{Message: "202 " + http.StatusText(http.StatusAccepted)}, nil
}

// TransferGroup moves a group into another group, or to the top level.
// POST /groups/{id}/transfer
func (g *Groups) TransferGroup(ctx context.Context, req gen.TransferGroupRequestObject) (gen.TransferGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	var to *int64
	if req.Body != nil {
		to = req.Body.GroupID
	}
	if _, err := g.parentGroup(ctx, to); err != nil {
		return nil, err
	}
	if err := g.move(ctx, row.ID, to); err != nil {
		return nil, explainMove(err)
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.TransferGroup201JSONResponse(shown), nil
}
