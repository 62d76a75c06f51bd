package tokens

import (
	"context"

	"svc/gen"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
)

// CreateUserImpersonationToken creates an impersonation token, with which administrators act as a user.
// POST /users/{user_id}/impersonation_tokens
func (t *Tokens) CreateUserImpersonationToken(
	ctx context.Context, req gen.CreateUserImpersonationTokenRequestObject,
) (gen.CreateUserImpersonationTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.AdminToken)
	if err != nil {
		return nil, err
	}
	user, err := access.UserByID(ctx, t.store, req.UserID)
	if err != nil {
		return nil, err
	}
	wanted, now := requestOf(*req.Body), clock.Now(ctx)
	wanted.Impersonation, wanted.CreatorID = true, &actor.User.ID
	if actor.SudoBy != nil { // with sudo, the administrator behind the request
		wanted.CreatorID = &actor.SudoBy.ID
	}
	row, plain, broken, err := t.tokens.Create(ctx, user.Caller(), wanted, now)
	switch {
	case err != nil:
		return nil, err
	case len(broken) > 0:
		return nil, apierr.InvalidFields(token.ByField(broken))
	}
	return gen.CreateUserImpersonationToken201JSONResponse(present.ImpersonationTokenWithToken(row, plain, now)), nil
}

// DeleteUserImpersonationToken revokes an impersonation token of a user.
// DELETE /users/{user_id}/impersonation_tokens/{impersonation_token_id}
func (t *Tokens) DeleteUserImpersonationToken(
	ctx context.Context, req gen.DeleteUserImpersonationTokenRequestObject,
) (gen.DeleteUserImpersonationTokenResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminToken); err != nil {
		return nil, err
	}
	row, err := t.impersonation(ctx, req.UserID, req.ImpersonationTokenID)
	if err != nil {
		return nil, err
	}
	if _, err := token.Revoke(ctx, t.store, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteUserImpersonationToken204Response{}, nil
}
