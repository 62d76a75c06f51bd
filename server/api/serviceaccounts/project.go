package serviceaccounts

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// ListProjectServiceAccounts lists the service accounts of a project.
// GET /projects/{id}/service_accounts
func (s *ServiceAccounts) ListProjectServiceAccounts(
	ctx context.Context, req gen.ListProjectServiceAccountsRequestObject,
) (gen.ListProjectServiceAccountsResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, in, gen.ListServiceAccountsParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectServiceAccounts200JSONResponse{
		Body: rows, Headers: gen.ListProjectServiceAccounts200ResponseHeaders(headers),
	}, nil
}

// CreateProjectServiceAccount creates a service account of a project.
// POST /projects/{id}/service_accounts
func (s *ServiceAccounts) CreateProjectServiceAccount(
	ctx context.Context, req gen.CreateProjectServiceAccountRequestObject,
) (gen.CreateProjectServiceAccountResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.create(ctx, in, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectServiceAccount201JSONResponse(shown), nil
}

// UpdateProjectServiceAccount changes a service account of a project.
// PATCH /projects/{id}/service_accounts/{user_id}
func (s *ServiceAccounts) UpdateProjectServiceAccount(
	ctx context.Context, req gen.UpdateProjectServiceAccountRequestObject,
) (gen.UpdateProjectServiceAccountResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.update(ctx, in, req.UserID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectServiceAccount200JSONResponse(shown), nil
}

// DeleteProjectServiceAccount deletes a service account of a project.
// DELETE /projects/{id}/service_accounts/{user_id}
func (s *ServiceAccounts) DeleteProjectServiceAccount(
	ctx context.Context, req gen.DeleteProjectServiceAccountRequestObject,
) (gen.DeleteProjectServiceAccountResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	hard := req.Params.HardDelete != nil && *req.Params.HardDelete
	if err := s.accounts.Delete(ctx, in, req.UserID, hard, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectServiceAccount204Response{}, nil
}

// ListProjectServiceAccountPersonalAccessTokens lists the tokens of a service account of a project.
// GET /projects/{id}/service_accounts/{user_id}/personal_access_tokens
func (s *ServiceAccounts) ListProjectServiceAccountPersonalAccessTokens(
	ctx context.Context, req gen.ListProjectServiceAccountPersonalAccessTokensRequestObject,
) (gen.ListProjectServiceAccountPersonalAccessTokensResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.listTokens(ctx, in, req.UserID, gen.ListGroupServiceAccountPersonalAccessTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectServiceAccountPersonalAccessTokens200JSONResponse{
		Body: rows, Headers: gen.ListProjectServiceAccountPersonalAccessTokens200ResponseHeaders(headers),
	}, nil
}

// CreateProjectServiceAccountPersonalAccessToken creates a token of a service account of a project.
// POST /projects/{id}/service_accounts/{user_id}/personal_access_tokens
func (s *ServiceAccounts) CreateProjectServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.CreateProjectServiceAccountPersonalAccessTokenRequestObject,
) (gen.CreateProjectServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.createToken(ctx, in, req.UserID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectServiceAccountPersonalAccessToken201JSONResponse(shown), nil
}

// DeleteProjectServiceAccountPersonalAccessToken revokes a token of a service account of a project.
// DELETE /projects/{id}/service_accounts/{user_id}/personal_access_tokens/{token_id}
func (s *ServiceAccounts) DeleteProjectServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.DeleteProjectServiceAccountPersonalAccessTokenRequestObject,
) (gen.DeleteProjectServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.revokeToken(ctx, in, req.UserID, req.TokenID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectServiceAccountPersonalAccessToken204Response{}, nil
}

// RotateProjectServiceAccountPersonalAccessToken replaces a token of a service account of a project.
// POST /projects/{id}/service_accounts/{user_id}/personal_access_tokens/{token_id}/rotate
func (s *ServiceAccounts) RotateProjectServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.RotateProjectServiceAccountPersonalAccessTokenRequestObject,
) (gen.RotateProjectServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.rotateToken(ctx, in, req.UserID, req.TokenID, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.RotateProjectServiceAccountPersonalAccessToken200JSONResponse(shown), nil
}
