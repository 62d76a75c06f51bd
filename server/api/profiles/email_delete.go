package profiles

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteCurrentUserEmail removes one of the caller's secondary email addresses.
// DELETE /user/emails/{email_id}
func (p *Profiles) DeleteCurrentUserEmail(
	ctx context.Context, req gen.DeleteCurrentUserEmailRequestObject,
) (gen.DeleteCurrentUserEmailResponseObject, error) {
	actor, err := access.Allow(ctx, access.DeleteOwnEmail)
	if err != nil {
		return nil, err
	}
	err = account.RemoveEmail(ctx, p.store, actor.User.ID, req.EmailID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserEmail204Response{}, err
}

// DeleteUserEmail removes a secondary email address of a user.
// DELETE /users/{id}/emails/{email_id}
func (p *Profiles) DeleteUserEmail(
	ctx context.Context, req gen.DeleteUserEmailRequestObject,
) (gen.DeleteUserEmailResponseObject, error) {
	u, err := p.managed(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = account.RemoveEmail(ctx, p.store, u.ID, req.EmailID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserEmail204Response{}, err
}
