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

// ListProjectAccessTokens lists the access tokens of a project.
// GET /projects/{id}/access_tokens
func (t *Tokens) ListProjectAccessTokens(
	ctx context.Context, req gen.ListProjectAccessTokensRequestObject,
) (gen.ListProjectAccessTokensResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := t.list(ctx, src, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAccessTokens200JSONResponse{Body: rows, Headers: gen.ListProjectAccessTokens200ResponseHeaders(headers)}, nil
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
	shown, err := t.createResourceToken(ctx, src, account.NewPersonalToken{
		Name: b.Name, Description: b.Description.Ptr(), Expires: dayOf(b.ExpiresAt), Scopes: uniqueScopes(b.Scopes),
	}, (*model.Access)(b.AccessLevel))
	return gen.CreateProjectAccessToken201JSONResponse(shown), err
}

// GetProjectAccessToken shows an access token of a project.
// GET /projects/{id}/access_tokens/{token_id}
func (t *Tokens) GetProjectAccessToken(
	ctx context.Context, req gen.GetProjectAccessTokenRequestObject,
) (gen.GetProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	row, err := t.findResourceToken(ctx, src, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAccessToken200JSONResponse(present.ResourceToken(row, time.Now())), nil
}

// DeleteProjectAccessToken revokes an access token of a project and deletes its bot user.
// DELETE /projects/{id}/access_tokens/{token_id}
func (t *Tokens) DeleteProjectAccessToken(
	ctx context.Context, req gen.DeleteProjectAccessTokenRequestObject,
) (gen.DeleteProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.RevokeProjectToken)
	if err != nil {
		return nil, err
	}
	if err := t.revokeOf(ctx, src, req.TokenID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectAccessToken204Response{}, nil
}

// RotateProjectAccessToken replaces an access token of a project.
// POST /projects/{id}/access_tokens/{token_id}/rotate
func (t *Tokens) RotateProjectAccessToken(
	ctx context.Context, req gen.RotateProjectAccessTokenRequestObject,
) (gen.RotateProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.AdminProjectToken)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotateOf(ctx, src, req.TokenID, req.Body)
	return gen.RotateProjectAccessToken200JSONResponse(shown), err
}

// RotateProjectAccessTokensSelf replaces the project access token that the request was made with.
// POST /projects/{id}/access_tokens/self/rotate
func (t *Tokens) RotateProjectAccessTokensSelf(
	ctx context.Context, req gen.RotateProjectAccessTokensSelfRequestObject,
) (gen.RotateProjectAccessTokensSelfResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.RotateSelfInProject)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotateSelf(ctx, src, req.Body)
	return gen.RotateProjectAccessTokensSelf200JSONResponse(shown), err
}
