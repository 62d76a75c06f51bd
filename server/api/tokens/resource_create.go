package tokens

import (
	"context"

	"svc/gen"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

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
	shown, err := t.createResource(ctx, src, token.Request{
		Name: b.Name, Description: b.Description.Ptr(), Expires: dayOf(b.ExpiresAt), Scopes: uniqueScopes(b.Scopes),
	}, (*model.Access)(b.AccessLevel))
	return gen.CreateGroupAccessToken201JSONResponse(shown), err
}

// CreateProjectAccessToken creates a project access token and its bot user.
// POST /projects/{id}/access_tokens
func (t *Tokens) CreateProjectAccessToken(
	ctx context.Context, req gen.CreateProjectAccessTokenRequestObject,
) (gen.CreateProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.AdminProjectToken)
	if err != nil {
		return nil, err
	}
	b := *req.Body
	shown, err := t.createResource(ctx, src, token.Request{
		Name: b.Name, Description: b.Description.Ptr(), Expires: dayOf(b.ExpiresAt), Scopes: uniqueScopes(b.Scopes),
	}, (*model.Access)(b.AccessLevel))
	return gen.CreateProjectAccessToken201JSONResponse(shown), err
}

// createResource creates a token of a group or project and presents it with its secret.
func (t *Tokens) createResource(
	ctx context.Context, src access.TokenSource, r token.Request, level *model.Access,
) (gen.ResourceAccessTokenWithToken, error) {
	now := clock.Now(ctx)
	row, plain, err := t.tokens.CreateResource(ctx, src, r, level, now)
	if err != nil {
		return gen.ResourceAccessTokenWithToken{}, err
	}
	return present.ResourceTokenWithToken(row, plain, now), nil
}
