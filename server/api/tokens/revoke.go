package tokens

import (
	"context"

	"svc/gen"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeletePersonalAccessToken revokes a token.
// DELETE /personal_access_tokens/{id}
func (t *Tokens) DeletePersonalAccessToken(
	ctx context.Context, req gen.DeletePersonalAccessTokenRequestObject,
) (gen.DeletePersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.RevokeToken)
	if err != nil {
		return nil, err
	}
	row, err := t.personal(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	if err := t.tokens.Revoke(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeletePersonalAccessToken204Response{}, nil
}

// DeletePersonalAccessTokenSelf revokes the token that the request was made with.
// DELETE /personal_access_tokens/self
func (t *Tokens) DeletePersonalAccessTokenSelf(
	ctx context.Context, req gen.DeletePersonalAccessTokenSelfRequestObject,
) (gen.DeletePersonalAccessTokenSelfResponseObject, error) {
	id, err := self(ctx, access.RevokeOwnToken)
	if err != nil {
		return nil, err
	}
	row, err := t.store.Tokens.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := token.Revoke(ctx, t.store, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeletePersonalAccessTokenSelf204Response{}, nil
}
