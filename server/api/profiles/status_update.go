package profiles

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/store/clock"
)

// UpdateCurrentUserStatus replaces the caller's status.
// PUT /user/status
func (p *Profiles) UpdateCurrentUserStatus(
	ctx context.Context, req gen.UpdateCurrentUserStatusRequestObject,
) (gen.UpdateCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnStatus)
	if err != nil {
		return nil, err
	}
	in, err := readStatus(*req.Body, actor.User.ID, clock.Now(ctx))
	if err != nil {
		return nil, err
	}
	if err := account.SetStatus(ctx, p.store, in.row, in.hasContent); err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.UpdateCurrentUserStatus200JSONResponse(shown), err
}

// PatchCurrentUserStatus changes the given fields of the caller's status.
// PATCH /user/status
func (p *Profiles) PatchCurrentUserStatus(
	ctx context.Context, req gen.PatchCurrentUserStatusRequestObject,
) (gen.PatchCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnStatus)
	if err != nil {
		return nil, err
	}
	in, err := readStatus(*req.Body, actor.User.ID, clock.Now(ctx))
	if err != nil {
		return nil, err
	}
	switch {
	case in.clears:
		err = p.store.UserStatuses.Delete(ctx, actor.User.ID)
	case len(in.columns) > 0:
		err = p.store.UserStatuses.Change(ctx, &in.row, in.columns, in.hasContent, clock.Now(ctx))
	}
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.PatchCurrentUserStatus200JSONResponse(shown), err
}
