package tokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListGroupAccessTokens lists the access tokens of a group.
// GET /groups/{id}/access_tokens
func (t *Tokens) ListGroupAccessTokens(
	ctx context.Context, req gen.ListGroupAccessTokensRequestObject,
) (gen.ListGroupAccessTokensResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := t.list(ctx, src, gen.ListProjectAccessTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAccessTokens200JSONResponse{Body: rows, Headers: gen.ListGroupAccessTokens200ResponseHeaders(headers)}, nil
}

// CreateGroupAccessToken creates a group access token and its bot user.
// POST /groups/{id}/access_tokens
func (t *Tokens) CreateGroupAccessToken(
	ctx context.Context, req gen.CreateGroupAccessTokenRequestObject,
) (gen.CreateGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	b := *req.Body
	shown, err := t.createResourceToken(ctx, src, account.NewPersonalToken{
		Name: b.Name, Description: b.Description.Ptr(), Expires: dayOf(b.ExpiresAt), Scopes: uniqueScopes(b.Scopes),
	}, (*model.Access)(b.AccessLevel))
	return gen.CreateGroupAccessToken201JSONResponse(shown), err
}

// GetGroupAccessToken shows an access token of a group.
// GET /groups/{id}/access_tokens/{token_id}
func (t *Tokens) GetGroupAccessToken(
	ctx context.Context, req gen.GetGroupAccessTokenRequestObject,
) (gen.GetGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	row, err := t.findResourceToken(ctx, src, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupAccessToken200JSONResponse(present.ResourceToken(row, time.Now())), nil
}

// DeleteGroupAccessToken revokes an access token of a group and deletes its bot user.
// DELETE /groups/{id}/access_tokens/{token_id}
func (t *Tokens) DeleteGroupAccessToken(
	ctx context.Context, req gen.DeleteGroupAccessTokenRequestObject,
) (gen.DeleteGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	if err := t.revokeOf(ctx, src, req.TokenID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupAccessToken204Response{}, nil
}

// RotateGroupAccessToken replaces an access token of a group.
// POST /groups/{id}/access_tokens/{token_id}/rotate
func (t *Tokens) RotateGroupAccessToken(
	ctx context.Context, req gen.RotateGroupAccessTokenRequestObject,
) (gen.RotateGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotateOf(ctx, src, req.TokenID, req.Body)
	return gen.RotateGroupAccessToken200JSONResponse(shown), err
}

// RotateGroupAccessTokensSelf replaces the group access token that the request was made with.
// POST /groups/{id}/access_tokens/self/rotate
func (t *Tokens) RotateGroupAccessTokensSelf(
	ctx context.Context, req gen.RotateGroupAccessTokensSelfRequestObject,
) (gen.RotateGroupAccessTokensSelfResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.RotateSelfInGroup)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotateSelf(ctx, src, req.Body)
	return gen.RotateGroupAccessTokensSelf200JSONResponse(shown), err
}
